import type { Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { pageFault } from '#core/work/bodyCheck/pageFault.ts';
import { trustedSteps } from './compareWalks.ts';
import { targetsOfAll, withTargets } from './redirectTargets.ts';
import { sentFormCheck } from './sentForm.ts';
import { headingCheck, type StepWalks, titleCheck } from './titleChecks.ts';
import { asksForPassword, headerOf, lastOf, type Walk } from './walk.ts';

/**
 * Lets each step require what the recording and all walks show to be the same: where its redirects lead, and what is on its page. A refusal is often a page with
 * status 200, or a redirect to the form. `given`: the plan before it was walked; what it requires of a redirect stays where no walk came.
 */
export function* withSuccess(plan: Plan, given: Plan, recorded: Walk, tried: readonly Walk[]): Turns<Plan> {
  const walks: { readonly walk: Walk; readonly trusted: ReadonlySet<string> }[] = [];
  for (const walk of tried) {
    yield;
    walks.push({ walk, trusted: trustedSteps(recorded, walk) });
  }
  const journey: Step[] = [];
  for (const [index, step] of plan.journey.entries()) {
    yield;
    const own = recorded.find((one) => one.step === step.name);
    const others = walks.flatMap(({ walk, trusted }) => {
      const other = trusted.has(step.name) ? walk.find((one) => one.step === step.name) : undefined;
      return other === undefined ? [] : [{ walk, own: other }];
    });
    if (own === undefined || others.length === 0) {
      const before = given.journey.find(({ name }) => name === step.name)?.redirects?.to ?? null;
      journey.push(withTargets(step, before));
    } else journey.push(succeeding(step, { plan, before: plan.journey.slice(0, index + 1), walks: [{ walk: recorded, own }, ...others] }));
  }
  return { ...plan, journey };
}

function succeeding(step: Step, walks: StepWalks): Step {
  const required = withTargets(step, targetsOfAll(walks.walks.map(({ own }) => own.exchanges)));
  const isPage = step.method !== 'HEAD' && step.stream === undefined && step.poll === undefined;
  if (!isPage || step.checks.length > 0) return required;
  const checks = [pageCheck(walks), titleCheck(walks), headingCheck(walks), sentFormCheck(step, walks)].filter((check) => check !== null);
  return { ...required, checks };
}

/** That it is a page without an error message, where the recording and all walks brought one. Its own words say why something was refused, so it is looked for first. */
function pageCheck({ walks }: StepWalks): Step['checks'][number] | null {
  const pages = walks.map(({ own }) => lastOf(own));
  const mayHaveLogin = pages.some((page) => page !== null && asksForPassword(page));
  const areGood = pages.every(
    (page) =>
      page?.text != null &&
      page.status < 400 &&
      /html/i.test(headerOf(page.answerHeaders, 'content-type') ?? '') &&
      pageFault(page.text, { mayHaveLogin, withoutErrors: true }) === null,
  );
  return areGood ? { kind: 'page', mayHaveLogin, withoutErrors: true } : null;
}
