import { GitCompareArrows } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Plan } from '#core/plan/schema/plan.ts';
import { seriesOfVersions } from '#core/series/versions.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { useAddress, useConsent } from '#ui/shared/quickStart.tsx';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { placesToStartFrom } from '../state/places.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './CheckPage.module.css';

const say = words.series.versions;

interface VersionsCardProps {
  /** A plan with one target. */
  readonly plan: Plan;
  readonly agreement: Agreement;
}

/** Card that runs the plan in turn against a second version. */
export function VersionsCard({ plan, agreement }: VersionsCardProps) {
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('series.start', ['runs.list']);
  const address = useAddress();
  const { url } = address;
  const [target] = plan.targets;
  const isSame = url !== null && url === target?.url;
  const b = url === null || isSame ? null : { headers: {}, ...target, url };
  const consent = useConsent(b && { plan: { targets: [b] } });
  const isAgreed = agreement.missing.length === 0;
  const press = (): void => {
    address.complain();
    if (b === null || !isAgreed || !consent.isGiven) return;
    const { plan: run, series } = seriesOfVersions(plan, { a: plan.targets, b: [b] });
    const on = placesToStartFrom(state.choices.places, plan);
    const document = { plan: run, series: { ...series, ...(on === undefined ? {} : { on }) } };
    const agreed = [...new Set([...agreement.keys, ...consent.agreed])];
    start.mutate({ document, agreed }, { onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) });
  };
  return (
    <Disclosure level={2} title={say.instead}>
      <Stack gap={12}>
        <p className={styles.host}>{say.insteadStory}</p>
        <TextField {...address.field} label={say.b} onEnter={press} />
        {isSame ? <Banner tone="inconclusive">{say.sameAddress}</Banner> : null}
        {consent.boxes}
        {start.error ? <HostProblem problem={start.error} onAgain={press} /> : null}
        {isAgreed ? null : <p className="muted">{words.searches.wizard.openConsent}</p>}
        <div>
          <Button
            icon={<GitCompareArrows />}
            isDisabled={!isAgreed || (url !== null && (b === null || !consent.isGiven))}
            isPending={start.isPending}
            onPress={press}
          >
            {say.start}
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}
