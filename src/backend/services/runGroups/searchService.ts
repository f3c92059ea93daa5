import { HoldfastError } from '#core/base/errors.ts';
import { hiddenReferences, revealed } from '#core/plan/hiddenText.ts';
import { asStorable, hideSecrets } from '#core/plan/hideSecrets.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { STUDY_PREFIX, type StudyDocument, type StudyResult } from '#core/search/result.ts';
import type { StudyRun } from '#core/search/run.ts';
import { nextStep } from '#core/search/study.ts';
import { studyResultFrom, studyResultOf } from '#backend/store/groupResults.ts';
import { enterHosts } from '../runs/generators/openPlaces.ts';
import { mayStart } from '../runs/mayStart.ts';
import { targetConnectionOf } from '../targets/targetCalls.ts';
import { createRunGroups, type RunGroupService, type RunGroupServiceParts } from './runGroupService.ts';
import { SearchSteps } from './searchSteps.ts';

const OWNER_GONE = 'The Holdfast that ran it ended before it did.';

export function createSearchService(parts: RunGroupServiceParts): RunGroupService<'studies'> {
  const { store, secrets, results } = parts;
  const groups = createRunGroups<StudyDocument, StudyRun, StudyResult>(parts, {
    called: 'search',
    table: store.studies,
    ownerGone: OWNER_GONE,
    recovered: (run) => ({ ...run, state: 'aborted', phase: null, reason: OWNER_GONE }),
    prefix: STUDY_PREFIX,
    code: 'STUDY',
    idName: 'studyId',
    goes: 'A search is going: for a breaking point, or for what a server is.',
    mayStart: mayStartSearch,
    enterHosts: (document) => enterHosts(document.on ?? [], parts.openHost),
    begin: (given) => {
      const document = asStorable({ ...given, plan: hideSecrets(given.plan, secrets.keep) });
      const { plan } = document;
      const way = async () => {
        const values = await secrets.resolve([...clientCertificateReferences(plan.tls), ...hiddenReferences(plan)]);
        return { plan: revealed(plan, values), connection: targetConnectionOf(plan, values) };
      };
      return { name: plan.name, document, runs: [], stepsOf: (work) => new SearchSteps({ results, way }, work, document) };
    },
    result: (studyId) => studyResultOf(store, studyId),
    isEnded: ({ study }) => study.endedAt !== null,
  });

  return {
    calls: {
      'studies.start': async ({ document }) => ({ studyId: await groups.start(document) }),
      'studies.stop': ({ studyId }) => groups.stop(studyId),
      'studies.remove': ({ studyId }) => groups.remove(studyId),
      'studies.result': ({ studyId }) => groups.result(studyId),
      'studies.export': (asked) => results.ask('studies.export', asked),
      'studies.list': async ({ limit, offset }) => {
        const { rows, total } = await groups.list(limit, offset, (record) => {
          const { study, answer } = studyResultFrom(store, record);
          return { ...study, sentence: answer.sentence };
        });
        return { studies: rows, total };
      },
    },
    streams: { 'studies.watch': ({ studyId }, sink) => groups.watch(studyId, sink) },
    close: groups.close,
  };
}

/** Throws what keeps its runs from starting, before the first: `INVALID_PLAN`. */
function mayStartSearch(document: StudyDocument): void {
  const step = nextStep(document, []);
  if (step.kind === 'run') mayStart(step.plan);
  const { settings } = document;
  if (!('to' in settings) || settings.to === undefined || settings.from === undefined || settings.from <= settings.to) return;
  throw new HoldfastError({
    code: 'INVALID_PLAN',
    message: `The search begins at ${settings.from} and may not go beyond ${settings.to}.`,
    hint: 'Begin lower, or allow more.',
  });
}
