import { useState } from 'react';
import { formatCount } from '#core/base/units.ts';
import { listProposalFacts, PROPOSAL_ADVICE } from '#core/review/proposal.ts';
import type { JoinedRun } from '#contract/agent/invitation.ts';
import { useAction, useStream } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { Card, Inline, Page, Stack } from '#ui/components/Page.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';

const joinWords = laterWords.join;

/** Page on which this computer joins the run of another one. */
export function JoinPage() {
  const watched = useStream('joins.watch', {});
  const run = watched.value?.run ?? null;
  // A line that was refused stays in the field. After the user's decision, the field is cleared.
  const [line, setLine] = useState('');
  return (
    <Page title={joinWords.title} story={joinWords.story}>
      <Stack gap={16}>
        {run === null || run.state === 'ended' ? (
          <InvitationForm run={run} line={line} onLine={setLine} />
        ) : (
          <JoinedRunCard run={run} onDecide={() => setLine('')} />
        )}
      </Stack>
    </Page>
  );
}

interface InvitationFormProps {
  readonly run: JoinedRun | null;
  /** Text in the field. */
  readonly line: string;
  readonly onLine: (line: string) => void;
}

/** Form for the pasted line, with the result of the last run that was joined. */
function InvitationForm({ run, line, onLine }: InvitationFormProps) {
  const start = useAction('joins.start');
  const press = (): void => start.mutate({ invitation: line });
  const problem = start.error ?? run?.problem ?? null;
  const sent = run?.sent ?? null;
  return (
    <>
      {problem === null ? null : <ProblemBanner key={problem.code} problem={problem} />}
      {run === null || start.error ? null : <EndBanner hasFailed={run.problem !== null} sent={sent} />}
      <Card>
        <Stack gap={16}>
          <TextField
            label={joinWords.line}
            help={joinWords.lineHelp}
            value={line}
            onChange={onLine}
            onEnter={press}
            maxLength={1_000}
            code
          />
          <div>
            <Button look="primary" isPending={start.isPending} isDisabled={line.trim() === ''} onPress={press}>
              {joinWords.connect}
            </Button>
          </div>
        </Stack>
      </Card>
    </>
  );
}

function EndBanner({ hasFailed, sent }: { readonly hasFailed: boolean; readonly sent: number | null }) {
  if (hasFailed) return sent === null ? null : <p>{joinWords.failed(formatCount(sent))}</p>;
  return (
    <Banner tone="passed" announce="status">
      {sent === null ? joinWords.endedWithout : joinWords.ended(formatCount(sent))}
    </Banner>
  );
}

/** Shows what the other computer asks for, the buttons to decide, and how much this computer has sent. */
function JoinedRunCard({ run: { state, proposal, sent }, onDecide }: { readonly run: JoinedRun; readonly onDecide: () => void }) {
  const decide = useAction('joins.decide');
  const respond = (agrees: boolean): void => {
    onDecide();
    decide.mutate({ agrees });
  };
  return (
    <Card title={joinWords.asked}>
      <Stack gap={16}>
        {proposal === null ? null : (
          <Facts facts={listProposalFacts(proposal).map(({ name, lines }) => [name, <Lines key={name} lines={lines} />])} hasLongNames />
        )}
        <p aria-live="polite">{progressText(state, sent)}</p>
        {state === 'asked' ? <Banner tone="inconclusive">{PROPOSAL_ADVICE}</Banner> : null}
        <Inline>
          {state === 'asked' ? (
            <>
              <Button look="primary" isPending={decide.isPending} onPress={() => respond(true)}>
                {joinWords.agree}
              </Button>
              <Button onPress={() => respond(false)}>{joinWords.decline}</Button>
            </>
          ) : (
            <Button isPending={decide.isPending} onPress={() => respond(false)}>
              {joinWords.leave}
            </Button>
          )}
        </Inline>
      </Stack>
    </Card>
  );
}

/** Number of lines that are shown without unfolding the others. */
const FIRST_LINES = 4;

function Lines({ lines }: { readonly lines: readonly string[] }) {
  const list = (some: readonly string[]) => some.map((line) => <div key={line}>{line}</div>);
  const others = lines.slice(FIRST_LINES);
  return (
    <>
      {list(lines.slice(0, FIRST_LINES))}
      {others.length === 0 ? null : <Disclosure title={joinWords.others(formatCount(others.length))}>{list(others)}</Disclosure>}
    </>
  );
}

function progressText(state: JoinedRun['state'], sent: number | null): string {
  if (state === 'connecting') return words.common.waitingFor(joinWords.connecting);
  if (state === 'waiting') return joinWords.waiting;
  return state === 'running' ? joinWords.running(formatCount(sent ?? 0)) : '';
}
