import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { parseTemplate } from '#core/plan/secrets.ts';
import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { isAbsolute, isNamed, sideServers, findSideUrl } from '#core/plan/requests.ts';
import { findNamedTarget } from '#core/plan/url.ts';
import { checkBodies, checkPattern } from './bodies.ts';
import { checkHeaders, checkPayload } from './headers.ts';
import { badJsonPath, findRepeated, warning, UNIQUE_FIGURE_NAME_HINT, unknownStepIssue } from './make.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Checks that the resources of a page can be loaded with it. */
function checkResources({ resources, poll, method }: Step, path: string): Issue[] {
  if (resources === undefined) return [];
  const issues: Issue[] = [];
  if (method === 'HEAD')
    issues.push(
      error('PAGE_WITHOUT_BODY', `${path}.resources`, 'The response to HEAD contains no links.', 'Use GET, or remove “resources”.'),
    );
  if (poll !== undefined) {
    issues.push(
      error(
        'PAGE_IS_POLLED',
        `${path}.resources`,
        'A polled request cannot be fetched as a whole page.',
        'Give the page its own step, without “poll”.',
      ),
    );
  }
  if (new Set(resources.kinds).size < resources.kinds.length)
    issues.push(warning('KIND_TWICE', `${path}.resources.kinds`, 'A kind is listed twice.', 'Each file is fetched only once.'));
  return issues;
}

export function checkJourney(plan: Plan): Issue[] {
  const repeatedNameIssues = findRepeated(plan.journey.map((step) => step.name)).map((index) =>
    error('DUPLICATE_STEP_NAME', `journey[${index}].name`, 'Two steps have the same name.', UNIQUE_FIGURE_NAME_HINT),
  );
  return [
    ...checkNothingMeasured(plan),
    ...checkSideHosts(plan),
    ...plan.journey.flatMap((step, index) => checkStep(plan, step, `journey[${index}]`)),
    ...repeatedNameIssues,
  ];
}

function checkNothingMeasured({ journey }: Plan): Issue[] {
  if (journey.some(({ measured, background }) => measured !== false && background === undefined)) return [];
  return [
    error(
      'NOTHING_IN_THE_JOURNEY',
      'journey',
      'No step of the journey is measured.',
      'Remove measured: false or background from at least one.',
    ),
  ];
}

function checkSideHosts(plan: Plan): Issue[] {
  const servers = sideServers(plan);
  return (plan.sideHosts ?? []).flatMap((host, index) =>
    servers.some((server) => isNamed({ sideHosts: [host] }, server))
      ? []
      : [warning('SIDE_HOST_UNUSED', `sideHosts[${index}]`, `No side call uses “${host}”.`, 'Remove it, or check its spelling.')],
  );
}

function checkStep(plan: Plan, step: Step, path: string): Issue[] {
  const issues = [
    ...checkTarget(plan, step, path),
    ...checkPath(plan, step, `${path}.path`),
    ...checkHeaders(step.headers, `${path}.headers`),
  ];
  return [
    ...issues,
    ...checkPayload(step, path),
    ...checkBodies(step, path),
    ...checkResources(step, path),
    ...checkMeasured(step, path),
    ...checkAgain(step, path),
    ...checkRenew(step, path),
    ...checkBackground(plan, step, path),
    ...checkStream(plan, step, path),
    ...checkExplains(plan, step, path),
    ...checkConfirms(plan, step, path),
  ];
}

export function checkTarget(plan: Plan, step: Step, path: string): Issue[] {
  const { target: name } = step;
  if (name === undefined || findNamedTarget(plan, step) !== undefined) return [];
  const targetNames = Object.keys(plan.namedTargets ?? {});
  const hint = targetNames.length === 0 ? `Add it to the plan: namedTargets: { ${name}: https://… }.` : didYouMean(name, targetNames);
  return [error('UNKNOWN_TARGET', `${path}.target`, `The plan has no named target “${name}”.`, hint)];
}

/** Checks that the host of a side call is literal and listed in the plan, because consent is given per host. */
function checkSideCall(plan: Plan, step: Step, path: string): Issue[] {
  const url = findSideUrl(step);
  if (url === null) {
    return [
      error(
        'SIDE_CALL_UNREADABLE',
        path,
        'The host of this side call is invalid.',
        'Write it without placeholders, user name and spaces: http://oracle.example.org/answers/{{question}}',
      ),
    ];
  }
  const { host } = new URL(url);
  if (isNamed(plan, new URL(url))) return [];
  const named = plan.sideHosts ?? [];
  return [
    error(
      'SIDE_HOST_NOT_NAMED',
      path,
      `The side call uses ${host}, which is not in the sideHosts of the plan.`,
      named.length === 0 ? `If that server may be called, write sideHosts: [${host}].` : didYouMean(host, named),
    ),
  ];
}

const FIELDS_WITHOUT_SIDE_CALL = ['background', 'budgetMs', 'resources', 'stores', 'confirms', 'items'] as const;

function checkMeasured(step: Step, path: string): Issue[] {
  const { name, measured } = step;
  if (measured !== false) return [];
  return FIELDS_WITHOUT_SIDE_CALL.filter((field) => step[field] !== undefined).map((field) =>
    error(
      'NOT_OF_A_SIDE_CALL',
      `${path}.${field}`,
      `“${name}” is a side call and not measured, so ${field} has no effect.`,
      `Remove ${field}, or measured: false.`,
    ),
  );
}

/** Checks that a step that reads a list in pages captures what leads to the next page, and that the capture can become empty. */
function checkAgain({ name, again, captures, poll, resources }: Step, path: string): Issue[] {
  if (again === undefined) return [];
  const capture = captures?.find(({ as }) => as === again.while);
  const issues: Issue[] = [];
  if (capture === undefined)
    issues.push(
      error(
        'AGAIN_WITHOUT_CAPTURE',
        `${path}.again.while`,
        `“${name}” is sent again while “${again.while}” has a value, and takes none from its responses.`,
        `Add a capture as: ${again.while}.`,
      ),
    );
  else if (!('otherwise' in capture && capture.otherwise === '') && !('mayBeEmpty' in capture && capture.mayBeEmpty === true))
    issues.push(
      error(
        'AGAIN_WITHOUT_END',
        `${path}.again.while`,
        `On the last page, “${again.while}” would find nothing, which is a failure.`,
        "Add otherwise: '' to its capture.",
      ),
    );
  for (const [field, value] of Object.entries({ poll, resources }))
    if (value !== undefined)
      issues.push(
        error('NOT_WITH_AGAIN', `${path}.${field}`, `A step that reads pages of a list has no ${field}.`, `Remove ${field}, or again.`),
      );
  return issues;
}

function checkRenew({ name, renew, once }: Step, path: string): Issue[] {
  if (renew === undefined || once === true) return [];
  return [
    error(
      'RENEW_WITHOUT_ONCE',
      `${path}.renew`,
      `“${name}” is sent in each journey, so nothing is renewed.`,
      'Add once: true, or remove renew.',
    ),
  ];
}

function checkBackground(plan: Plan, step: Step, path: string): Issue[] {
  const { background } = step;
  if (background === undefined) return [];
  const issues: Issue[] = [];
  if (plan.load.model !== 'users') {
    issues.push(
      error(
        'BACKGROUND_WITHOUT_USERS',
        `${path}.background`,
        `A request every ${background.everySeconds} s needs users. This load has ${plan.load.model}.`,
        'Use the load model users, or make the request a step of the journey.',
      ),
    );
  }
  for (const field of ['once', 'poll', 'again', 'resources', 'thinkTime'] as const) {
    if (step[field] === undefined || step[field] === false) continue;
    issues.push(
      error(
        'NOT_IN_BACKGROUND',
        `${path}.${field}`,
        `A request sent every ${background.everySeconds} s beside a journey has no ${field}.`,
        `Remove ${field}, or background.`,
      ),
    );
  }
  const names = plan.journey.flatMap((other) => (other.background === undefined && other.measured !== false ? [other.name] : []));
  for (const field of ['after', 'until'] as const) {
    const wanted = background[field];
    if (wanted !== undefined && !names.includes(wanted)) issues.push(unknownStepIssue(`${path}.background.${field}`, wanted, names));
  }
  return issues;
}

/** Rejects options of a stream that need a complete response, because a stream has no end. */
function checkStream(plan: Plan, step: Step, path: string): Issue[] {
  const { stream, name } = step;
  if (stream === undefined) return [];
  const refusedFields = ['resources', 'poll', 'again', 'redirects', 'background', 'thinkTime', 'budgetMs', 'explains'] as const;
  const refused = withoutAbsent([
    ...refusedFields.filter((field) => step[field] !== undefined),
    step.checks.length > 0 && ('checks' as const),
    step.captures?.some(({ from }) => from !== 'header' && from !== 'cookie') === true && ('captures' as const),
    step.measured === false && ('measured' as const),
    step.method === 'HEAD' && ('method' as const),
  ]);
  const places = (['sentAt', 'number'] as const).flatMap((field) => {
    const jsonPath = stream[field]?.path;
    return jsonPath === undefined || parseJsonPath(jsonPath) !== null ? [] : [badJsonPath(`${path}.stream.${field}.path`, jsonPath, 'at')];
  });
  return withoutAbsent([
    ...refused.map((field) =>
      error('NOT_OF_A_STREAM', `${path}.${field}`, `“${name}” is a stream, which has no ${field}.`, `Remove ${field}, or stream.`),
    ),
    stream.beside === true &&
      stream.seconds !== undefined &&
      error(
        'BESIDE_HAS_NO_TIME',
        `${path}.stream.seconds`,
        'A stream beside the journey ends with its user.',
        'Remove seconds, or beside.',
      ),
    ...places,
    ...checkSocket(plan, step, path),
  ]);
}

/** Checks options that only WebSockets support, and options that WebSockets do not support. */
function checkSocket({ connections }: Plan, { stream, name }: Step, path: string): Issue[] {
  if (stream === undefined) return [];
  if (stream.kind === 'events')
    return (['send', 'protocols'] as const).flatMap((field) =>
      stream[field] === undefined
        ? []
        : [
            error(
              'ONLY_OF_A_WEBSOCKET',
              `${path}.stream.${field}`,
              `“${name}” is an event stream, over which nobody sends.`,
              `Remove ${field}, or set kind: websocket.`,
            ),
          ],
    );
  return withoutAbsent([
    connections.protocol === 'h2' &&
      error(
        'WEBSOCKET_OVER_HTTP2',
        `${path}.stream.kind`,
        'Holdfast opens WebSockets over HTTP/1.1 only.',
        'Remove connections.protocol, or test the WebSocket by itself.',
      ),
    ...(['sentAt', 'number'] as const).flatMap((field) =>
      stream[field]?.from === 'id'
        ? [error('MESSAGE_WITHOUT_ID', `${path}.stream.${field}.from`, 'Messages of a WebSocket have no id.', 'Use from: data.')]
        : [],
    ),
  ]);
}

/** Checks a step that requests the reason of another step's failure. */
function checkExplains(plan: Plan, { explains, measured, background, poll }: Step, path: string): Issue[] {
  if (explains === undefined) return [];
  const names = plan.journey.flatMap((step) => (step.explains === undefined && step.background === undefined ? [step.name] : []));
  return withoutAbsent([
    !names.includes(explains.step) && unknownStepIssue(`${path}.explains.step`, explains.step, names),
    !(measured === false && background === undefined && poll === undefined) &&
      error(
        'EXPLAINS_IS_ASIDE',
        `${path}.explains`,
        'A request that asks why a step failed is a side call, sent once for each failure.',
        'Set measured: false, and remove background and poll.',
      ),
    ...checkPattern(explains.pattern, '', `${path}.explains`),
  ]);
}

/** Checks a step that confirms other steps, because the same user must send both in sequence. */
function checkConfirms({ journey }: Plan, { name, confirms, background }: Step, path: string): Issue[] {
  if (confirms === undefined) return [];
  if (background !== undefined)
    return [
      error(
        'NOT_IN_BACKGROUND',
        `${path}.confirms`,
        'A request beside the journey comes at a time of its own, so it confirms no other step.',
        'Remove confirms, or background.',
      ),
    ];
  const names = journey.flatMap((other) =>
    other.name === name || other.measured === false || other.background !== undefined ? [] : [other.name],
  );
  return confirms.flatMap((confirmed, index) =>
    names.includes(confirmed) ? [] : [unknownStepIssue(`${path}.confirms[${index}]`, confirmed, names)],
  );
}

/** Checks that a path stays on the target's host, because consent and safety limits apply per host. */
function checkPath(plan: Plan, step: Step, path: string): Issue[] {
  if (step.measured === false && step.target === undefined && isAbsolute(step.path)) return checkSideCall(plan, step, path);
  const [first = '', ...rest] = parseTemplate(step.path).map((part) => (typeof part === 'string' ? part : null));
  // A placeholder at the beginning may contain a full address, which is checked when its value is known.
  const written = first === null ? '' : [first, ...rest.map((part) => part ?? 'x')].join('');
  if (/[\p{Cc}\s]/u.test(written)) {
    return [error('PATH_INVALID', path, 'The path contains a space or a control character.', 'Write a space as %20.')];
  }
  const named = findNamedTarget(plan, step);
  const leaving = (named === undefined ? plan.targets : [named]).find(
    (target) => !URL.canParse(written, target.url) || new URL(written, target.url).origin !== new URL(target.url).origin,
  );
  if (!leaving) return [];
  return [
    error(
      'STEP_LEAVES_TARGET',
      path,
      `The path “${step.path.slice(0, 80)}” does not belong to the target ${new URL(leaving.url).host}.`,
      'Set the host as a target, and only the rest of the address here, with at most one leading slash.',
    ),
  ];
}
