import { useState } from 'react';
import { problemOf, type Problem } from '#core/errors.ts';
import type { Issue } from '#core/plan/issues.ts';
import { useConnection } from '#ui/app/backend.ts';
import { startWizard } from '#ui/app/wizardSeed.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/TextField.tsx';
import { words } from '#ui/words/words.ts';
import { readCommand, type Command, type Reading } from '#core/import/readCommand.ts';
import { IssueList } from '../IssueList.tsx';

type Refusal =
  | { readonly kind: 'nothing' }
  | Extract<Reading, { readonly kind: 'refused' }>
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Takes over what another tool's user has at hand: a command line, an address, or a plan. */
export function PasteField() {
  const connection = useConnection();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const say = words.wizard.question;

  const take = async (): Promise<Refusal | null> => {
    const reading = readCommand(text);
    if (reading?.kind === 'refused') return reading;
    const command = reading?.command;
    const source = command ? JSON.stringify(await planOf(command)) : text;
    const { plan, issues } = await connection.call('plans.parse', { source });
    if (plan) startWizard({ kind: 'plan', plan });
    else if (issues.length > 0 && (command || /holdfast/.test(text))) return { kind: 'issues', issues };
    return plan ? null : { kind: 'nothing' };
  };
  /** Cookies and secret headers become references before they reach a plan. */
  const planOf = async ({ name, target, secretHeaders, cookie, method, settings, load }: Command): Promise<unknown> => {
    const keep = async (value: string) => await connection.call('secrets.keep', { value });
    const kept = await Promise.all(Object.entries(secretHeaders).map(async ([header, value]) => [header, await keep(value)] as const));
    return {
      holdfast: 1,
      name,
      targets: [
        { ...target, headers: { ...target.headers, ...Object.fromEntries(kept) }, ...(cookie ? { cookie: await keep(cookie) } : {}) },
      ],
      journey: [{ name: 'page', method }],
      load,
      ...settings,
    };
  };
  const use = (): void => {
    setRefusal(null);
    take().then(setRefusal, (thrown: unknown) => setRefusal({ kind: 'problem', problem: problemOf(thrown) }));
  };

  return (
    <Disclosure level={2} title={say.paste}>
      <Stack gap={12}>
        <TextField
          label={say.pasteLabel}
          help={say.pasteStory}
          value={text}
          rows={3}
          code
          onChange={(next) => {
            setText(next);
            setRefusal(null);
          }}
        />
        <Inline>
          <Button isDisabled={text.trim() === ''} onPress={use}>
            {say.pasteUse}
          </Button>
        </Inline>
        {refusal?.kind === 'nothing' ? (
          <Banner tone="inconclusive" announce="alert">
            {say.pasteNothing}
          </Banner>
        ) : null}
        {refusal?.kind === 'refused' ? (
          <Banner tone="inconclusive" announce="alert">
            {say.pasteRefused(
              refusal.tool,
              refusal.refused.map(({ what, reason }) => say.pasteRefusedPart(what, say.pasteReasons[reason])),
            )}
          </Banner>
        ) : null}
        {refusal?.kind === 'issues' ? <IssueList issues={refusal.issues} /> : null}
        {refusal?.kind === 'problem' ? <ProblemBanner problem={refusal.problem} /> : null}
      </Stack>
    </Disclosure>
  );
}
