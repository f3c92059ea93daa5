import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import type { TargetEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { AnswerStrip } from './AnswerStrip.tsx';
import { HeaderRows } from './HeaderRows.tsx';
import { useProbes } from './useLogin.ts';
import styles from './TargetPage.module.css';

/** Field for a cookie. Its text exists only here until the backend stores it; the wizard keeps a reference. */
function CookieField({ target }: { readonly target: TargetEntry }) {
  const { dispatch } = useWizard();
  const keep = useAction('secrets.keep');
  const probes = useProbes();
  const [text, setText] = useState('');
  const say = words.wizard.target;
  const change = (cookie: TargetEntry['cookie']): void => dispatch({ type: 'targetChanged', id: target.id, change: { cookie } });
  if (target.cookie) {
    return (
      <Inline>
        <Button size="small" onPress={() => change(null)}>
          {say.cookieForget}
        </Button>
      </Inline>
    );
  }
  const keepText = (): void => {
    const value = text.trim().replace(/^cookie:\s*/i, '');
    if (value === '') return;
    keep.mutate(
      { value },
      {
        onSuccess: ({ secret }) => {
          const cookie = { secret, names: [], from: 'typed' } as const;
          change(cookie);
          // Probes the target again with the cookie, as after a login.
          probes.sendAll([{ ...target, cookie }]);
          setText('');
        },
      },
    );
  };
  return (
    <Stack gap={8}>
      <TextField
        label={say.cookieLabel}
        help={say.cookieHelp}
        placeholder={say.cookieExample}
        code
        value={text}
        onChange={setText}
        onEnter={keepText}
      />
      <div className={styles.kept}>
        <Button size="small" isDisabled={text.trim() === ''} isPending={keep.isPending} onPress={keepText}>
          {say.cookieKeep}
        </Button>
      </div>
      {keep.error ? <ProblemBanner problem={keep.error} onRetry={keepText} /> : null}
    </Stack>
  );
}

interface TargetBlockProps {
  readonly target: TargetEntry;
  readonly number: number | null;
  readonly help: string;
  /** Whether the plan's users log in, so that no login is needed here. */
  readonly logsInItself: boolean;
}

/** Address field with the result of its probe; `number` is null for a single target. */
export function TargetBlock({ target, number, help, logsInItself }: TargetBlockProps) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.target;
  const change = (url: string): void => dispatch({ type: 'targetChanged', id: target.id, change: { url } });
  const probe = state.probes[target.id];
  const headers = target.headers.length === 0 ? say.headersNone : say.headersSome(target.headers.length);
  return (
    <div className={styles.block}>
      <div className={styles.address}>
        <TextField
          label={number === null ? say.address : say.addressNumbered(number)}
          help={number === null || number === 1 ? help : undefined}
          value={target.url}
          type="url"
          placeholder={say.addressExample}
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
              aria-label={say.removeAddress(number)}
              onPress={() => dispatch({ type: 'targetRemoved', id: target.id })}
            />
          </span>
        )}
      </div>
      {probe && probe.status !== 'idle' ? (
        <AnswerStrip target={target} probe={probe} isOneOfMany={number !== null} logsInItself={logsInItself} />
      ) : null}
      <div className={styles.folded}>
        <Disclosure level={2} title={say.cookie} summary={cookieSummary(target)}>
          <CookieField target={target} />
        </Disclosure>
        <Disclosure level={2} title={say.headers} summary={headers}>
          <HeaderRows target={target} />
        </Disclosure>
      </div>
    </div>
  );
}

function cookieSummary({ cookie }: TargetEntry): string {
  const say = words.wizard.target;
  if (!cookie) return say.cookieNone;
  switch (cookie.from) {
    case 'login':
      return say.cookieFromLogin(cookie.names.join(', '));
    case 'typed':
      return say.cookieTyped;
    case 'plan':
      return say.cookieFromPlan;
    default:
      return cookie.from satisfies never;
  }
}
