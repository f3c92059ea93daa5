import { Trash2, Plus } from 'lucide-react';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { useKeptSecret } from '#ui/shared/useKeptSecret.ts';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import type { TargetEntry, HeaderEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { ResponseStrip } from './ResponseStrip.tsx';
import { useProbes } from './useLogin.ts';
import styles from './TargetPage.module.css';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { isHarmlessHeader } from '#core/plan/secretShapes.ts';

/** Field for a cookie. The cookie exists only in this component until the backend has stored it; the wizard holds a reference. */
function CookieField({ target }: { readonly target: TargetEntry }) {
  const { dispatch } = useWizard();
  const probes = useProbes();
  const targetWords = words.wizard.target;
  const change = (cookie: TargetEntry['cookie']): void => dispatch({ type: 'targetChanged', id: target.id, change: { cookie } });
  const useCookie = (secret: string): void => {
    const cookie = { secret, names: [], from: 'typed' } as const;
    change(cookie);
    // The target is probed again with the cookie, as after a login.
    probes.sendAll([{ ...target, cookie }]);
  };
  const { text, setText, keep, isPending, error } = useKeptSecret(useCookie, (entered) => entered.trim().replace(/^cookie:\s*/i, ''));
  if (target.cookie) {
    return (
      <Inline>
        <Button size="small" onPress={() => change(null)}>
          {targetWords.cookieForget}
        </Button>
      </Inline>
    );
  }
  return (
    <Stack gap={8}>
      <TextField
        label={targetWords.cookieLabel}
        help={targetWords.cookieHelp}
        placeholder={targetWords.cookieExample}
        code
        value={text}
        onChange={setText}
        onEnter={keep}
      />
      <div className={styles.kept}>
        <Button size="small" isDisabled={text.trim() === ''} isPending={isPending} onPress={keep}>
          {targetWords.cookieKeep}
        </Button>
      </div>
      {error ? <ProblemBanner problem={error} onRetry={keep} /> : null}
    </Stack>
  );
}

interface TargetBlockProps {
  readonly target: TargetEntry;
  readonly number: number | null;
  readonly help: string;
  /** Whether the plan's users log in. If they do, no login is needed here. */
  readonly logsInItself: boolean;
}

/** Address field with the result of the address's probe. `number` is null if there is only one target. */
export function TargetBlock({ target, number, help, logsInItself }: TargetBlockProps) {
  const { state, dispatch } = useWizard();
  const targetWords = words.wizard.target;
  const change = (url: string): void => dispatch({ type: 'targetChanged', id: target.id, change: { url } });
  const probe = state.probes[target.id];
  const headers = target.headers.length === 0 ? targetWords.headersNone : targetWords.headersSome(target.headers.length);
  return (
    <Card>
      <Stack gap={12}>
        <div className={styles.address}>
          <TextField
            hasFocus={target.url === ''}
            label={number === null ? targetWords.address : targetWords.addressNumbered(number)}
            help={number === null || number === 1 ? help : undefined}
            value={target.url}
            type="url"
            placeholder={targetWords.addressExample}
            error={urlProblem(target.url)}
            onChange={change}
            onBlur={() => {
              const complete = completeUrl(target.url);
              if (complete !== target.url) change(complete);
            }}
          />
          {number === null ? null : (
            <span className={styles.removeAddress}>
              <Button
                look="quiet"
                icon={<Trash2 />}
                aria-label={targetWords.removeAddress(number)}
                onPress={() => dispatch({ type: 'targetRemoved', id: target.id })}
              />
            </span>
          )}
        </div>
        {probe && probe.status !== 'idle' ? (
          <ResponseStrip target={target} probe={probe} isOneOfMany={number !== null} logsInItself={logsInItself} />
        ) : null}
        <div className={styles.folded}>
          <Disclosure level={2} title={targetWords.cookie} summary={cookieSummary(target)}>
            <CookieField target={target} />
          </Disclosure>
          <Disclosure level={2} title={targetWords.headers} summary={headers}>
            <HeaderRows target={target} />
          </Disclosure>
        </div>
      </Stack>
    </Card>
  );
}

function cookieSummary({ cookie }: TargetEntry): string {
  const targetWords = words.wizard.target;
  if (cookie === null) return targetWords.cookieNone;
  return { login: targetWords.cookieFromLogin(cookie.names.join(', ')), typed: targetWords.cookieTyped, plan: targetWords.cookieFromPlan }[
    cookie.from
  ];
}

function HeaderRows({ target }: { readonly target: TargetEntry }) {
  const { dispatch } = useWizard();
  const targetWords = words.wizard.target;
  return (
    <Stack>
      <p className="muted">{targetWords.headersHelp}</p>
      {target.headers.map((header) => (
        <HeaderRow key={header.id} targetId={target.id} header={header} />
      ))}
      <Inline>
        <Button size="small" icon={<Plus />} onPress={() => dispatch({ type: 'headerAdded', id: target.id })}>
          {targetWords.headerAdd}
        </Button>
      </Inline>
    </Stack>
  );
}

/**
 * Row for a header. The header's value is treated as secret unless the name is known to be harmless or the user declares the value not
 * secret.
 */
function HeaderRow({ targetId, header }: { readonly targetId: number; readonly header: HeaderEntry }) {
  const { dispatch } = useWizard();
  const targetWords = words.wizard.target;
  const change = (changed: Partial<Omit<HeaderEntry, 'id'>>): void =>
    dispatch({ type: 'headerChanged', id: targetId, headerId: header.id, change: changed });
  const isSecret = header.value.kind !== 'clear';
  const rename = (name: string): void => {
    const isUntouched = header.value.kind === 'toKeep' || (header.value.kind === 'clear' && header.value.text === '');
    const value: HeaderEntry['value'] = isHarmlessHeader(name) || name.trim() === '' ? { kind: 'clear', text: '' } : { kind: 'toKeep' };
    change(isUntouched ? { name, value } : { name });
  };
  return (
    <div className={styles.header}>
      <TextField label={targetWords.headerName} value={header.name} code onChange={rename} />
      <HeaderValue
        targetId={targetId}
        header={header}
        onClear={(text) => change({ value: { kind: 'clear', text } })}
        onReplace={() => change({ value: { kind: 'toKeep' } })}
      />
      <span className={styles.headerEnd}>
        <Button
          look="quiet"
          icon={<Trash2 />}
          aria-label={targetWords.headerRemove(header.name)}
          onPress={() => dispatch({ type: 'headerRemoved', id: targetId, headerId: header.id })}
        />
      </span>
      <span className={styles.headerFull}>
        <Checkbox isSelected={isSecret} onChange={(secret) => change({ value: secret ? { kind: 'toKeep' } : { kind: 'clear', text: '' } })}>
          {targetWords.headerSecret}
        </Checkbox>
      </span>
    </div>
  );
}

interface HeaderValueProps {
  readonly targetId: number;
  readonly header: HeaderEntry;
  readonly onClear: (text: string) => void;
  readonly onReplace: () => void;
}

/** Field for a header's value. A secret value exists only in this component until the backend has stored it. */
function HeaderValue({ targetId, header, onClear, onReplace }: HeaderValueProps) {
  const { dispatch } = useWizard();
  const { text, setText, keep, error } = useKeptSecret((secret) =>
    dispatch({ type: 'headerKept', id: targetId, headerId: header.id, secret }),
  );
  const targetWords = words.wizard.target;
  const { value } = header;
  switch (value.kind) {
    case 'clear':
      return <TextField label={targetWords.headerValue} value={value.text} code onChange={onClear} />;
    case 'kept':
      return (
        <div className={styles.kept}>
          <span className="muted">{targetWords.headerKept}</span>
          <Button size="small" onPress={onReplace}>
            {targetWords.headerReplace}
          </Button>
        </div>
      );
    case 'toKeep':
      return (
        <div>
          <TextField label={targetWords.headerValue} value={text} code onChange={setText} onBlur={keep} onEnter={keep} />
          {error ? <ProblemBanner problem={error} onRetry={keep} /> : null}
        </div>
      );
    default:
      return value satisfies never;
  }
}
