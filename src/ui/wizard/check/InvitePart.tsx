import { Play, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formatCount } from '#core/base/units.ts';
import { joinGeneratorNames } from '#core/plan/hosts/generatorNames.ts';
import { MAX_LOAD_GENERATORS } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { askKey } from '#core/review/asks/ask.ts';
import { isSamePlan } from '#core/review/proposal.ts';
import type { InvitationState } from '#contract/agent/invitation.ts';
import { useAction, useStream } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button, CopyableText } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { namesOf } from '../state/machineRoles.ts';
import { useWizard } from '../WizardProvider.tsx';

const inviteWords = laterWords.invite;

interface InvitePartProps {
  readonly plan: Plan;
  readonly agreement: Agreement;
}

/** Invites computers without SSH to one run of the plan, shows who has joined, and starts the run. */
export function InvitePart({ plan, agreement }: InvitePartProps) {
  const watched = useStream('invites.watch', {});
  const invitation = watched.value?.invitation ?? null;
  const isOpen = invitation !== null && invitation.closed !== 'withdrawn' && invitation.closed !== 'ended';
  return (
    <Disclosure level={2} title={inviteWords.title} summary={inviteWords.summary} isHeldOpen={isOpen}>
      <Stack gap={16}>
        <p>{inviteWords.story}</p>
        {isOpen ? (
          <OpenInvitation invitation={invitation} plan={plan} agreement={agreement} />
        ) : (
          <InviteForm plan={plan} last={invitation} />
        )}
      </Stack>
    </Disclosure>
  );
}

function InviteForm({ plan, last }: { readonly plan: Plan; readonly last: InvitationState | null }) {
  const [computers, setComputers] = useState<NumberEntry>(1);
  const open = useAction('invites.open');
  const isCount = typeof computers === 'number' && Number.isInteger(computers) && computers >= 1 && computers <= MAX_LOAD_GENERATORS;
  return (
    <>
      {last?.closed == null ? null : <p>{inviteWords.closed[last.closed]}</p>}
      {open.error ? <ProblemBanner problem={open.error} /> : null}
      <NumberField
        label={inviteWords.count}
        help={inviteWords.countHelp}
        value={computers}
        onChange={setComputers}
        min={1}
        max={MAX_LOAD_GENERATORS}
        error={isCount ? null : inviteWords.countError}
      />
      <div>
        <Button
          icon={<UserPlus />}
          isDisabled={!isCount}
          isPending={open.isPending}
          onPress={() => isCount && open.mutate({ plan, computers })}
        >
          {last === null ? inviteWords.open : inviteWords.again}
        </Button>
      </div>
    </>
  );
}

function OpenInvitation({ invitation: shown, plan, agreement }: InvitePartProps & { readonly invitation: InvitationState }) {
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('runs.start', ['runs.list']);
  const withdraw = useAction('invites.withdraw');
  const ready = shown.joined.flatMap(({ name, state: now }) => (now === 'ready' ? [name] : []));
  const on = [...namesOf('generator', state.choices.places, plan), ...ready];
  const isSame = isSamePlan({ ...plan, graceSeconds: 0 }, shown.proposal);
  const isAgreed = agreement.missing.length === 0;
  // Pressing the button is the consent to use these computers.
  const agreed = [...agreement.keys, ...ready.map((name) => askKey({ kind: 'ssh', name }))];
  const press = (): void => start.mutate({ plan, agreed, on }, { onSuccess: ({ runId }) => navigate(`/runs/${runId}`) });
  return (
    <>
      <InvitationFacts invitation={shown} />
      {shown.closed === null ? null : <Banner tone="inconclusive">{inviteWords.closed[shown.closed]}</Banner>}
      <JoinedComputers invitation={shown} />
      {isSame ? null : <Banner tone="inconclusive">{inviteWords.otherPlan}</Banner>}
      {ready.length === 0 ? null : <p className="muted">{inviteWords.divided(joinGeneratorNames(on))}</p>}
      {isAgreed ? null : <p className="muted">{words.searches.wizard.openConsent}</p>}
      {start.error ? <HostProblem problem={start.error} onAgain={press} /> : null}
      <Inline>
        <Button
          look={ready.length === 0 ? 'secondary' : 'primary'}
          icon={<Play />}
          isDisabled={ready.length === 0 || !isSame || !isAgreed}
          isPending={start.isPending}
          onPress={press}
        >
          {inviteWords.start(formatCount(ready.length))}
        </Button>
        <Button isPending={withdraw.isPending} onPress={() => withdraw.mutate({})}>
          {inviteWords.withdraw}
        </Button>
      </Inline>
    </>
  );
}

function InvitationFacts({ invitation: shown }: { readonly invitation: InvitationState }) {
  const { invitation, otherHosts, endsAtMs, wrongCodes, strangers } = shown;
  const line = `npx holdfast join '${invitation}'`;
  return (
    <Facts
      facts={[
        [inviteWords.line, <CopyableText key="line" text={line} label={inviteWords.copyLine} />],
        [inviteWords.ends, new Date(endsAtMs).toLocaleTimeString()],
        otherHosts.length === 0 ? null : [inviteWords.otherAddresses, otherHosts.join(', ')],
        wrongCodes + strangers === 0 ? null : [inviteWords.tries, inviteWords.refused(formatCount(wrongCodes), formatCount(strangers))],
      ]}
    />
  );
}

/** The computers that have joined with the code, each with the decision of its user. */
function JoinedComputers({ invitation: { joined, computers } }: { readonly invitation: InvitationState }) {
  const ready = joined.filter(({ state }) => state === 'ready').length;
  return (
    <div aria-live="polite">
      <p>{joined.length === 0 ? inviteWords.nobody : inviteWords.joined(formatCount(ready), formatCount(computers))}</p>
      <ul>
        {joined.map(({ name, address, hostname, state }) => (
          <li key={name}>
            {name} · {hostname === null ? address : `${hostname} (${address})`} · {inviteWords.states[state]}
          </li>
        ))}
      </ul>
    </div>
  );
}
