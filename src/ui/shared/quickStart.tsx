import { type ReactNode, useState } from 'react';
import type { HoldfastError } from '#core/base/errors.ts';
import { Button } from '#ui/components/Button.tsx';
import { AgreementProblem } from './AgreementProblem.tsx';
import { HostProblem } from './machines/HostProblem.tsx';
import { HERE } from '#core/plan/schema/hosts.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '#ui/words/words.ts';
import { useCall } from './backend.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { type Ask, askKey, type AskSource, listAsks, isPublic } from '#core/review/asks/ask.ts';

interface StartRowProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  readonly start: { readonly error: HoldfastError | null; readonly isPending: boolean };
  readonly onPress: () => void;
  /** Called with additional permissions if the start needs more than the form asks for. */
  readonly onAgree?: (keys: string[]) => void;
}

/** Last row of a form that starts a test: the error from the last attempt, and the start button. */
export function StartRow({ label, icon, isDisabled, start: { error, isPending }, onPress, onAgree }: StartRowProps) {
  return (
    <>
      {error === null ? null : error.code === 'AGREEMENT_NEEDED' && onAgree !== undefined ? (
        <AgreementProblem problem={error} onAgree={onAgree} />
      ) : (
        <HostProblem problem={error} onAgain={onPress} />
      )}
      <div>
        <Button look="primary" icon={icon} isDisabled={isDisabled} isPending={isPending} onPress={onPress}>
          {label}
        </Button>
      </div>
    </>
  );
}

interface GeneratorSelectProps {
  /** Name of a host, or `here`. */
  readonly value: string;
  readonly onChange: (place: string) => void;
  readonly help?: string;
}

/** Field that selects the load generator. Renders nothing if this computer is the only one. */
export function GeneratorSelect({ value, onChange, help = '' }: GeneratorSelectProps) {
  const hosts = useCall('hosts.list', {}).data ?? [];
  if (hosts.length === 0) return null;
  const places = [{ value: HERE, label: words.quick.here }, ...hosts.map(({ name }) => ({ value: name, label: name }))];
  return <Select label={words.quick.place} help={help} value={value} choices={places} onChange={onChange} />;
}

/** Returns the load generator in the form of a property of a search or series; empty for this computer. */
export function onGenerator(place: string): { on?: string[] } {
  return place === HERE ? {} : { on: [place] };
}

/** An address that is being entered. Its error is shown only after the field has lost focus or the start button was pressed. */
export interface AddressEntry {
  /** The address; null while the text is not a valid address. */
  readonly url: string | null;
  readonly complain: () => void;
  /** Properties of the text field. */
  readonly field: {
    readonly type: 'url';
    readonly code: true;
    readonly value: string;
    readonly error: string | null;
    readonly onChange: (text: string) => void;
    readonly onBlur: () => void;
  };
}

/** Returns the state of an address field. `first` is the field's initial text. */
export function useAddress(first = ''): AddressEntry {
  const [text, setText] = useState(first);
  const [isLeft, setLeft] = useState(false);
  const isEmpty = text.trim() === '';
  const problem = isEmpty ? words.quick.needsAddress : urlProblem(text);
  return {
    url: problem === null ? completeUrl(text) : null,
    complain: () => setLeft(true),
    field: {
      type: 'url',
      code: true,
      value: text,
      error: isLeft ? problem : null,
      onChange: setText,
      onBlur: () => setLeft(!isEmpty),
    },
  };
}

export interface Consent {
  /** Permissions to pass to the start of the plan. */
  readonly agreed: string[];
  readonly isGiven: boolean;
  /** A checkbox for each public host, with which the user agrees to that host. */
  readonly boxes: ReactNode;
}

/** Returns the consent for a plan that was just entered. Only public hosts need it, each by name. `asking` is null if there is no plan. */
export function useConsent(asking: AskSource | null): Consent {
  const [given, setGiven] = useState<readonly string[]>([]);
  const asks: readonly Ask[] = asking === null ? [] : listAsks(asking);
  const hosts = asks.filter(isPublic).map(({ name }) => name);
  return {
    agreed: asks.map(askKey),
    isGiven: hosts.every((host) => given.includes(host)),
    boxes: hosts.map((host) => (
      <Checkbox
        key={host}
        isSelected={given.includes(host)}
        onChange={(isGiven) => setGiven(isGiven ? [...given, host] : given.filter((other) => other !== host))}
      >
        {words.quick.consent(host)}
      </Checkbox>
    )),
  };
}
