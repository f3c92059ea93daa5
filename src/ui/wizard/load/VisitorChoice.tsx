import type { Plan } from '#core/plan/schema/plan.ts';
import { VISIT_CACHES, VISIT_DEVICES, VISIT_LINES, type WatchPage, watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { HERE, isHere } from '#core/plan/schema/hosts.ts';
import { PROPOSED_VISITS, formatVisitor } from '#core/plan/watchPages.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { useCall } from '#ui/shared/backend.ts';
import { words } from '#ui/words/words.ts';
import { getChoice } from '../state/choices.ts';
import { fromCriterion } from '../state/entries.ts';
import { newIdIn } from '../state/loadEntry.ts';
import type { CriterionEntry } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './LoadPage.module.css';

interface VisitorChoiceProps {
  /** Plan of the source, for default values. */
  readonly plan: Plan;
  readonly criteria: readonly CriterionEntry[];
}

const visitsWords = words.wizard.visits;
const FIRST = watchPageSchema.parse({});
const DEVICES = VISIT_DEVICES.map((value) => ({ value, label: visitsWords.devices[value] }));
const LINES = VISIT_LINES.map((value) => ({ value, label: visitsWords.lines[value] }));
const CACHES = VISIT_CACHES.map((value) => ({ value, label: visitsWords.caches[value] }));

/**
 * Choice “Watch it as a visitor”: the page that a browser visits during the load, and the browser's account. Only the first page of a plan
 * is shown.
 */
export function VisitorChoice({ plan, criteria }: VisitorChoiceProps) {
  const { state, dispatch } = useWizard();
  const pages = getChoice('watchPages', state.choices, plan);
  const from = getChoice('watchFrom', state.choices, plan);
  const [page, ...others] = pages;
  const choose = (next: readonly WatchPage[]): void => dispatch({ type: 'chosen', change: { watchPages: next } });
  const edit = (change: Partial<WatchPage>): void => choose([{ ...(page ?? FIRST), ...change }, ...others]);
  const isJudged = criteria.some(({ kind, of }) => kind === 'responseTime' && of === 'visits');
  const stop = (): void => {
    choose([]);
    const rest = criteria.filter(({ of }) => of !== 'visits');
    if (rest.length < criteria.length) dispatch({ type: 'criteriaEdited', criteria: rest });
  };
  return (
    <Disclosure
      level={2}
      title={visitsWords.title}
      summary={
        page === undefined
          ? visitsWords.none
          : visitsWords.summary(page.url, formatVisitor(page), others.length, isHere(from) ? null : from)
      }
    >
      <Stack gap={12}>
        <Checkbox isSelected={page !== undefined} onChange={(isChosen) => (isChosen ? choose([FIRST]) : stop())}>
          {visitsWords.choose}
        </Checkbox>
        <p className="muted">{visitsWords.story}</p>
        {page === undefined ? null : (
          <>
            <TextField
              label={visitsWords.page}
              help={visitsWords.pageHelp}
              value={page.url}
              error={watchPageSchema.shape.url.safeParse(page.url).success ? null : visitsWords.pageProblem}
              onChange={(url) => edit({ url })}
            />
            <div className={styles.choices}>
              <Select label={visitsWords.device} value={page.device} choices={DEVICES} onChange={(device) => edit({ device })} />
              <Select label={visitsWords.line} value={page.line} choices={LINES} onChange={(line) => edit({ line })} />
              <Select label={visitsWords.cache} value={page.cache} choices={CACHES} onChange={(cache) => edit({ cache })} />
              <FromSelect value={from} onChange={(watchFrom) => dispatch({ type: 'chosen', change: { watchFrom } })} />
            </div>
            {page.steps === undefined ? (
              <TextField
                label={visitsWords.click}
                help={visitsWords.clickHelp}
                value={page.click ?? ''}
                onChange={(click) => edit({ click: click.trim() === '' ? undefined : click })}
              />
            ) : (
              <p>{visitsWords.steps(page.steps.map(({ name }) => `“${name}”`).join(', '))}</p>
            )}
            {isJudged ? null : (
              <div>
                <Button
                  look="secondary"
                  size="small"
                  onPress={() =>
                    dispatch({ type: 'criteriaEdited', criteria: [...criteria, fromCriterion(PROPOSED_VISITS, newIdIn(criteria))] })
                  }
                >
                  {visitsWords.judge}
                </Button>
              </div>
            )}
          </>
        )}
      </Stack>
    </Disclosure>
  );
}

/** Field that selects the computer on which the browser runs. Renders nothing if this computer is the only one. */
function FromSelect({ value, onChange }: { readonly value: string; readonly onChange: (host: string) => void }) {
  const hosts = (useCall('hosts.list', {}).data ?? []).map(({ name }) => name);
  const isKnown = isHere(value) || hosts.includes(value);
  // The list includes a host that the plan names but that is unknown here. The run would report that the host is missing.
  const names = isKnown ? hosts : [...hosts, value];
  if (names.length === 0) return null;
  const choices = [{ value: HERE, label: visitsWords.here }, ...names.map((name) => ({ value: name, label: name }))];
  return <Select label={visitsWords.from} value={isHere(value) ? HERE : value} choices={choices} onChange={onChange} />;
}
