import { parseCapturePath } from '#core/work/bodyCheck/jsonPath.ts';
import { countGroups } from '#core/work/journey/capturedTexts.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import { TARGET_WITHOUT_SLASH } from '#core/work/journey/escape.ts';
import { hasPlaceholders, listPlaceholderNames } from '#core/plan/secrets.ts';
import { cookiesOf, listTexts } from '#core/work/journey/walked.ts';
import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { checkPattern } from './bodies.ts';
import { badJsonPath, emptyRange, takenNameIssue, warning } from './make.ts';
import { columnName, cookieOf, readValueName } from '#core/plan/valueNames.ts';
import { buildFlow } from '#core/work/journey/flow/executions.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Checks that every `{{name}}` of the journey has a source, and that captures and variables are valid. */
export function checkValues(plan: Plan): Issue[] {
  const valuesOfPlan = collectKnownValues(plan);
  return [
    ...checkVariables(plan),
    ...checkAllOnce(plan),
    ...checkFeeds(plan),
    ...checkLoops(plan, valuesOfPlan),
    ...checkUnfilled(plan),
    ...plan.journey.flatMap((step, index) => [
      ...checkNames(plan, step, index, valuesOfPlan),
      ...checkCaptures(plan, step, `journey[${index}].captures`),
      ...checkOnce(plan, step, `journey[${index}].once`),
    ]),
  ];
}

function checkVariables({ variables }: Plan): Issue[] {
  return Object.entries(variables ?? {}).flatMap(([name, variable]) =>
    variable.kind === 'integer' && variable.from > variable.to ? [emptyRange(`variables.${name}`, variable, 'Swap from and to.')] : [],
  );
}

function checkFeeds({ feeds, variables }: Plan): Issue[] {
  return Object.keys(feeds ?? {}).flatMap((name) =>
    name === 'cookie' || name === 'target' || Object.hasOwn(variables ?? {}, name)
      ? [takenNameIssue(`feeds.${name}`, name, 'Give the feed another name.')]
      : [],
  );
}

function checkAllOnce({ journey }: Plan): Issue[] {
  if (!journey.every(({ once }) => once === true)) return [];
  return [
    error(
      'NOTHING_BUT_ONCE',
      'journey[0].once',
      'Every step runs once, so the second journey would be empty.',
      'Remove once from steps that belong to each journey.',
    ),
  ];
}

function checkNames(plan: Plan, step: Step, index: number, valuesOfPlan: KnownValues): Issue[] {
  const variables = Object.keys(plan.variables ?? {});
  const feeds = Object.keys(plan.feeds ?? {});
  // Steps that no flow uses are reported by the check of the flow.
  const before = valuesOfPlan.before.get(step.name);
  if (before === undefined) return [];
  const items = valuesOfPlan.loops.map(({ as }) => as);
  const anywhere = [...plan.journey.flatMap(listCaptures), ...items];
  // A body check may use values that are captured from the same response.
  const own = listCaptures(step);
  return listTexts(step).flatMap(({ path, text }) =>
    listPlaceholderNames(text).flatMap((name) => {
      const { owner, member } = readValueName(name);
      if (name === TARGET_WITHOUT_SLASH || variables.includes(name) || cookieOf(name) !== null || (owner !== null && feeds.includes(owner)))
        return [];
      if (before.certain.has(name) || (path.startsWith('checks') && own.includes(name))) return [];
      const at = `journey[${index}].${path}`;
      if (before.possible.has(name)) {
        return [
          warning(
            'CAPTURED_SOMETIMES',
            at,
            `“{{${name}}}” is captured only on some paths to this request. On the others it cannot be sent.`,
            'Capture it in a step that always runs before.',
          ),
        ];
      }
      if (items.includes(name)) {
        return [
          error('OUTSIDE_LOOP', at, `“{{${name}}}” has a value only inside its forEach.`, 'Move this step into the flow of the forEach.'),
        ];
      }
      if (anywhere.includes(name)) {
        return [
          error(
            'CAPTURED_LATER',
            at,
            `“{{${name}}}” is captured only after this request.`,
            'Capture it in an earlier step, or move this step after the one that captures it.',
          ),
        ];
      }
      return [
        error(
          'UNDEFINED_VALUE',
          at,
          `“{{${name}}}” has no value.`,
          suggestNames(name, [...variables, ...anywhere, ...feeds.map((feed) => columnName(feed, owner === null ? 'column' : member))]),
        ),
      ];
    }),
  );
}

/** Reports placeholders in fields in which nothing is filled in, because the server would receive the braces. */
function checkUnfilled({ targets, namedTargets = {}, journey }: Plan): Issue[] {
  const places = [
    ...targets.map((target, index) => [`targets[${index}]`, target] as const),
    ...Object.entries(namedTargets).map(([name, target]) => [`namedTargets.${name}`, target] as const),
  ];
  const texts = [
    ...places.flatMap(([at, { headers, cookie }]) =>
      Object.entries({ ...headers, Cookie: cookie }).flatMap(([name, value]) => {
        const path = `${at}.${value === cookie ? 'cookie' : `headers.${name}`}`;
        return typeof value === 'string' ? [{ path, text: value, instead: 'Set the header in each step that needs it.' }] : [];
      }),
    ),
    ...journey.flatMap(({ query, multipart }, index) => [
      ...Object.keys(query ?? {}).map((name) => ({
        path: `journey[${index}].query.${name}`,
        text: name,
        instead: 'Enter the parameter in the path, as /page?{{name}}=value.',
      })),
      ...(multipart ?? []).flatMap((part, at) =>
        'type' in part && part.type !== undefined
          ? [{ path: `journey[${index}].multipart[${at}].type`, text: part.type, instead: 'Enter the type itself.' }]
          : [],
      ),
    ]),
  ];
  return texts
    .filter(({ text }) => hasPlaceholders(text))
    .map(({ path, text, instead }) => error('NOT_FILLED_IN', path, `“${text.slice(0, 60)}” would be sent as it is written.`, instead));
}

/** Checks that each `forEach` uses a list that an earlier step captures, and a unique name. */
function checkLoops(plan: Plan, { loops }: KnownValues): Issue[] {
  const captures = plan.journey.flatMap((step) => step.captures ?? []);
  const lists = captures.flatMap((capture) => ('which' in capture && capture.which === 'all' ? [capture.as] : []));
  return loops.flatMap(({ list, as, path, knownNames: known }) =>
    withoutAbsent([
      ...checkList(
        list,
        `${path}.forEach`,
        known.possible.has(list),
        lists,
        captures.map((capture) => capture.as),
      ),
      (Object.hasOwn(plan.variables ?? {}, as) || captures.some((capture) => capture.as === as)) &&
        takenNameIssue(`${path}.as`, as, 'Give the item another name.'),
    ]),
  );
}

function checkList(list: string, path: string, isPossible: boolean, lists: readonly string[], captured: readonly string[]): Issue[] {
  if (!lists.includes(list)) {
    const message = captured.includes(list)
      ? `“${list}” is captured as a single value, but forEach needs a list.`
      : `No step captures a list “${list}”.`;
    const hint = captured.includes(list) ? 'Set which: all in its capture.' : didYouMeanList(list, lists);
    return [error('NO_SUCH_LIST', path, message, hint)];
  }
  if (isPossible) return [];
  return [error('CAPTURED_LATER', path, `The list “${list}” is captured only after this forEach.`, 'Capture it in an earlier step.')];
}

function didYouMeanList(list: string, lists: readonly string[]): string {
  if (lists.length === 0) return 'A list comes from a capture with which: all, in an earlier step.';
  return didYouMean(list, lists);
}

function suggestNames(name: string, knownNames: readonly string[]): string {
  const sourcesText = 'Values come from captures of earlier steps, from variables, feeds ({{feed.column}}) and cookies ({{cookie.NAME}}).';
  return knownNames.length === 0 ? sourcesText : `${didYouMean(name, knownNames)} ${sourcesText}`;
}

function checkCaptures(plan: Plan, step: Step, path: string): Issue[] {
  const captures = step.captures ?? [];
  const issues = captures.flatMap((capture, index) =>
    withoutAbsent([
      ...checkCapture(capture, `${path}[${index}]`),
      ...checkNothingFound(capture, `${path}[${index}]`),
      Object.hasOwn(plan.variables ?? {}, capture.as) &&
        error('VALUE_TWICE', `${path}[${index}].as`, `“${capture.as}” is already a variable.`, 'Give the capture another name.'),
    ]),
  );
  const readsBody = captures.some(({ from }) => from !== 'header' && from !== 'cookie');
  if (step.method !== 'HEAD' || !readsBody) return issues;
  return [
    ...issues,
    error('CAPTURE_WITHOUT_BODY', path, 'The response to HEAD has no body to capture from.', 'Use GET, or capture a header.'),
  ];
}

function checkCapture(capture: Capture, path: string): Issue[] {
  switch (capture.from) {
    case 'body':
      return [...checkPattern(capture.pattern, capture.flags, path), ...checkGroup(capture, path)];
    case 'json':
      if (parseCapturePath(capture.path) !== null) return [];
      return [badJsonPath(`${path}.path`, capture.path, 'id', ', or [*] once for every item: $.items[*].id')];
    case 'header':
      return withoutAbsent([
        ...(capture.pattern === undefined ? [] : checkPattern(capture.pattern, '', path)),
        /^(content-length|transfer-encoding|connection|proxy-connection)$/i.test(capture.name) &&
          error(
            'HEADER_NOT_KEPT',
            `${path}.name`,
            `The header ${capture.name} belongs to one connection and is not kept.`,
            'Capture another header.',
          ),
      ]);
    case 'between':
    case 'form':
    case 'cookie':
    case 'loginForm':
      return [];
    default:
      return capture satisfies never;
  }
}

/** Checks what a capture does if nothing matches: a value for a single match, `mayBeEmpty` for a list. */
function checkNothingFound(capture: Capture, path: string): Issue[] {
  if (!('which' in capture)) return [];
  const { as, which, otherwise, mayBeEmpty } = capture;
  return withoutAbsent([
    which === 'all' &&
      otherwise !== undefined &&
      error(
        'OTHERWISE_OF_LIST',
        `${path}.otherwise`,
        `“${as}” is a list (which: all), but otherwise is a single value.`,
        'Remove otherwise. With mayBeEmpty: true, finding nothing gives an empty list.',
      ),
    which !== 'all' &&
      mayBeEmpty === true &&
      warning(
        'EMPTY_SINGLE_VALUE',
        `${path}.mayBeEmpty`,
        `mayBeEmpty has no effect: “${as}” is a single value (which: ${which}).`,
        'Set otherwise: TEXT for a fallback, or which: all for a list.',
      ),
  ]);
}

function checkGroup({ pattern, flags, group }: Extract<Capture, { from: 'body' }>, path: string): Issue[] {
  if (group === undefined || checkPattern(pattern, flags, path).length > 0) return [];
  const groups = countGroups(pattern, flags);
  if (group <= groups) return [];
  const groupCountText = groups === 1 ? 'one group' : `${groups === 0 ? 'no' : groups} groups`;
  return [
    error(
      'NO_SUCH_GROUP',
      `${path}.group`,
      `The pattern has ${groupCountText}, but the capture uses group ${group}.`,
      'Groups are the parts in ( ); the first is 1.',
    ),
  ];
}

function checkOnce(plan: Plan, { once }: Step, path: string): Issue[] {
  if (once !== true) return [];
  if (plan.load.model === 'arrivals') {
    return [
      warning(
        'ONCE_IS_ALWAYS',
        path,
        'Every arrival is a new user, so this step is part of each journey.',
        'Remove once, or use the load model users.',
      ),
    ];
  }
  if (cookiesOf(plan) === 'user') return [];
  return [
    error(
      'ONCE_FORGOTTEN',
      path,
      'The effect of this step is lost after the first journey, with its cookies.',
      'To keep them, set cookies: user, or remove cookies.',
    ),
  ];
}

/** Names with a value at a point of a flow: on every path to it, and on some paths. */
interface KnownNames {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
}

/** A `forEach` with its path and the values known there. */
interface Loop {
  readonly list: string;
  readonly as: string;
  readonly path: string;
  readonly knownNames: KnownNames;
}

/** Known values at each point of a flow. */
interface KnownValues {
  /** Before each step, by name; for a step in several places, values certain in all. */
  readonly before: ReadonlyMap<string, KnownNames>;
  readonly loops: readonly Loop[];
}

const NO_VALUES: KnownNames = { certain: new Set(), possible: new Set() };

/** Walks the flow of a plan and collects captured values before each step. Background steps come last. */
function collectKnownValues(plan: Plan): KnownValues {
  const before = new Map<string, KnownNames>();
  const loops: Loop[] = [];
  const steps = new Map(plan.journey.map((step) => [step.name, step]));

  function follow(flow: readonly FlowPart[], knownNames: KnownNames, path: string): KnownNames {
    return flow.reduce<KnownNames>((now, part, index) => followPart(part, now, `${path}[${index}]`), knownNames);
  }

  function followPart(part: FlowPart, knownNames: KnownNames, path: string): KnownNames {
    if (typeof part === 'string') {
      const other = before.get(part);
      const again = steps.get(part)?.again;
      const knownValues = again === undefined ? knownNames : addNames(knownNames, [again.while]);
      before.set(part, other === undefined ? knownValues : intersectKnown([other, knownValues]));
      return addNames(knownNames, listCaptures(steps.get(part)));
    }
    if ('choose' in part)
      return intersectKnown(part.choose.map(({ flow }, index) => follow(flow, knownNames, `${path}.choose[${index}].flow`)));
    if ('forEach' in part) {
      loops.push({ list: part.forEach, as: part.as, path, knownNames: knownNames });
      const after = computeKnownInLoop(part.flow, addNames(knownNames, [part.as]), `${path}.flow`);
      return { certain: knownNames.certain, possible: after.possible };
    }
    const after = computeKnownInLoop(part.flow, knownNames, `${path}.flow`);
    const minRepeats = typeof part.repeat === 'number' ? part.repeat : part.repeat.from;
    return minRepeats > 0 ? after : { certain: knownNames.certain, possible: after.possible };
  }

  /** Captures of the first iteration are known in the second. */
  function computeKnownInLoop(flow: readonly FlowPart[], knownNames: KnownNames, path: string): KnownNames {
    const captured = namesCaptured(flow, steps);
    return follow(flow, { certain: knownNames.certain, possible: new Set([...knownNames.possible, ...captured]) }, path);
  }

  const end = follow(buildFlow(plan), NO_VALUES, 'flow');
  for (const { name, explains } of plan.journey) {
    if (explains !== undefined) before.set(name, before.get(explains.step) ?? NO_VALUES);
  }
  for (const { name, background } of plan.journey) {
    if (background === undefined) continue;
    const after = background.after === undefined ? undefined : before.get(background.after);
    const certain = after === undefined ? NO_VALUES : addNames(after, listCaptures(steps.get(background.after ?? '')));
    before.set(name, { certain: certain.certain, possible: end.possible });
  }
  return { before, loops };
}

function listCaptures(step: Step | undefined): string[] {
  return (step?.captures ?? []).map(({ as }) => as);
}

function namesCaptured(flow: readonly FlowPart[], steps: ReadonlyMap<string, Step>): string[] {
  return flow.flatMap((part) => {
    if (typeof part === 'string') return listCaptures(steps.get(part));
    const inner = 'choose' in part ? part.choose.map((choice) => choice.flow) : [part.flow];
    return inner.flatMap((each) => namesCaptured(each, steps));
  });
}

function addNames({ certain, possible }: KnownNames, names: readonly string[]): KnownNames {
  return { certain: new Set([...certain, ...names]), possible: new Set([...possible, ...names]) };
}

/** Merges the known values of alternative paths. */
function intersectKnown(ways: readonly KnownNames[]): KnownNames {
  const [first = NO_VALUES, ...others] = ways;
  return {
    certain: new Set([...first.certain].filter((name) => others.every((other) => other.certain.has(name)))),
    possible: new Set(ways.flatMap(({ possible }) => [...possible])),
  };
}
