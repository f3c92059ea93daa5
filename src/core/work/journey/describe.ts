import { getOwn } from '#core/base/ownMembers.ts';
import { RESOURCE_WORDS, type Resources, type StreamStep } from '#core/plan/schema/step.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { findSideUrl } from '#core/plan/requests.ts';
import { formatCount, formatMs, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { Capture, Variable } from '#core/plan/schema/journey.ts';
import { describeCheck } from '../bodyCheck/errorTexts.ts';
import { cookiesOf } from './walked.ts';

/** Describes what a journey does beyond sending the same requests. Returns no sentences if it does nothing more. */
export function describeJourney(plan: Plan): string[] {
  const captureTexts = plan.journey.flatMap(({ name, captures }) =>
    captures === undefined || captures.length === 0
      ? []
      : [`From a successful response to “${name}” it takes ${captures.map(captureWords).join(', and ')}.`],
  );
  const made = Object.entries(plan.variables ?? {}).map(([name, variable]) => `“${name}” is ${formatVariable(variable)}`);
  const followed = plan.journey.flatMap(({ name, redirects }) => (redirects === undefined ? [] : [`“${name}”`]));
  const onceSteps = plan.journey.flatMap((step) => (step.once === true ? [`“${step.name}”`] : []));
  return [
    ...cookieSentences(plan),
    ...(made.length === 0 ? [] : [`${made.join('; ')}.`]),
    ...describeFeeds(plan),
    ...captureTexts,
    ...(followed.length === 0
      ? []
      : [`Redirects of ${followed.join(', ')} are followed on the same server, and each counts as a request of its own.`]),
    ...pageSentences(plan),
    ...pollSentences(plan),
    ...describeRepeats(plan),
    ...describeSideCalls(plan),
    ...describePeople(plan),
    ...(onceSteps.length === 0 ? [] : [`Each user takes ${onceSteps.join(', ')} once, in the first journey.`]),
  ];
}

const FORM_PART_WORDS = {
  action: 'the address of',
  username: 'the field for the user name of',
  password: 'the field for the password of',
  others: 'the other fields of',
} as const;

/** Describes a capture and its source. */
export function captureWords(capture: Capture): string {
  const many = 'which' in capture && capture.which === 'all' ? 'all of ' : '';
  switch (capture.from) {
    case 'body':
      return `“${capture.as}” (${many}what matches /${capture.pattern}/${capture.flags})`;
    case 'json':
      return `“${capture.as}” (${many}${capture.path} of its JSON)`;
    case 'between':
      return `“${capture.as}” (${many}what stands between “${capture.after}” and “${capture.before}”)`;
    case 'header':
      return `“${capture.as}” (its header ${capture.name})`;
    case 'cookie':
      return `“${capture.as}” (the cookie ${capture.name})`;
    case 'form':
      return `“${capture.as}” (the fields of its form with “${capture.field}”, ${capture.choose === 'random' ? 'choices drawn' : `the ${capture.choose} of its choices`})`;
    case 'loginForm':
      return `“${capture.as}” (${FORM_PART_WORDS[capture.part]} its login form)`;
    default:
      return capture satisfies never;
  }
}

function cookieSentences(plan: Plan): string[] {
  switch (cookiesOf(plan)) {
    case 'journey':
      return ['Each journey begins without cookies and keeps those that the server sets.'];
    case 'user':
      return ['Each user keeps the cookies that the server sets, from one journey to the next.'];
    case 'ignore':
      return [];
  }
}

/** Returns one sentence for all pages that are fetched in the same way. */
function pageSentences({ journey }: Plan): string[] {
  const alike = new Map<string, string[]>();
  for (const { name, resources } of journey) {
    if (resources === undefined) continue;
    const way = formatLoading(resources);
    alike.set(way, [...(alike.get(way) ?? []), `“${name}”`]);
  }
  return [...alike].map(([way, names]) => {
    const which =
      names.length > MAX_NAMED ? `${formatNumber(names.length)} pages` : names.length === 1 ? `the page ${names[0]}` : names.join(', ');
    return `With ${which} comes what ${names.length === 1 ? 'it links' : 'they link'} to ${way}`;
  });
}

const MAX_NAMED = 3;

function formatLoading({ kinds, how, reads, connections, otherHosts }: Resources): string {
  const what = [...new Set(kinds)].map((kind) => RESOURCE_WORDS[kind]).join(', ');
  const way = how === 'serial' || connections === 1 ? 'one after the other' : `over up to ${connections} connections at once`;
  const hosts = otherHosts.length === 0 ? 'On other hosts nothing is asked for.' : `Beside the target ${otherHosts.join(', ')} is asked.`;
  const tags = reads === 'tags' ? 'as the tags link and img name it, ' : '';
  return `(${what}), ${tags}${way}, each thing once. ${hosts}`;
}

function renewSentence(name: string, { afterSeconds, onStatus }: NonNullable<Plan['journey'][number]['renew']>): string {
  const when = [
    ...(afterSeconds === undefined ? [] : [`when it is ${formatSeconds(afterSeconds)} old`]),
    ...(onStatus === undefined ? [] : [`after a response with ${onStatus.join(' or ')}, whose request is then sent again`]),
  ];
  return `Each user takes “${name}” again ${when.join(', and ')}.`;
}

function backgroundSentence(name: string, { everySeconds, after, until, inPauses }: NonNullable<Step['background']>): string {
  const from = after === undefined ? 'from their arrival on' : `from the first successful response to “${after}” on`;
  const to = until === undefined ? '' : `, until that to “${until}”`;
  return `Beside the journey each user sends “${name}” every ${formatSeconds(everySeconds)}${inPauses === true ? ' in pauses' : ''}, ${from}${to}.`;
}

function reloadSentence(name: string, { most, fromSeconds, toSeconds }: NonNullable<Plan['journey'][number]['reload']>): string {
  const after = fromSeconds === toSeconds ? formatSeconds(fromSeconds) : `${formatSeconds(fromSeconds)} to ${formatSeconds(toSeconds)}`;
  return `After 502, 503, 504 or no response, users reload “${name}” after ${after}, at most ${most === 1 ? 'once' : `${most} times`}.`;
}

function placesSentence(name: string, { count, full }: NonNullable<Plan['journey'][number]['places']>): string {
  const placesText = count === undefined ? '' : `“${name}” gives at most ${formatCount(count)} places. `;
  return `${placesText}A response to “${name}” with the text “${full}” says that no place is left, and ends the journey without a failure.`;
}

function gateSentences(name: string, bell: NonNullable<Plan['bells']>[string] | undefined): string[] {
  if (bell === undefined) return [];
  const late = bell.late === 'leave' ? 'ends the journey' : 'sends it at once';
  return [
    `All users wait before “${name}” and send it together ${formatSeconds(bell.atSeconds)} after the start of the load. A user who comes later ${late}.`,
  ];
}

function describeSideCalls({ journey, bells }: Plan): string[] {
  return journey.flatMap((step) => {
    const { name, background, renew, gate, reload, stream, measured, budgetMs, explains, stores, confirms, places } = step;
    const url = findSideUrl(step);
    return [
      ...(renew === undefined ? [] : [renewSentence(name, renew)]),
      ...(reload === undefined ? [] : [reloadSentence(name, reload)]),
      ...(gate === undefined ? [] : gateSentences(name, getOwn(bells ?? {}, gate))),
      ...(stream === undefined ? [] : [streamSentence(name, stream)]),
      ...(background === undefined ? [] : [backgroundSentence(name, background)]),
      ...(explains === undefined
        ? []
        : [`Where a response to “${explains.step}” is not what it should be, “${name}” asks the site why, as a side call.`]),
      ...(measured === false && explains === undefined
        ? [
            `“${name}” is a side call${url === null ? '' : ` to ${new URL(url).host}`}: it is sent, and is in no figure; if it fails, the journey ends.`,
          ]
        : []),
      ...(stores === undefined ? [] : [`The server ${stores ? 'stores' : 'does not store'} what “${name}” sends.`]),
      ...(confirms === undefined
        ? []
        : [`A successful “${name}” confirms that what ${joinNames(confirms.map((confirmed) => `“${confirmed}”`))} sent is stored.`]),
      ...(places === undefined ? [] : [placesSentence(name, places)]),
      ...(budgetMs === undefined ? [] : [`“${name}” has a time budget of ${formatMs(budgetMs)}.`]),
    ];
  });
}

function streamSentence(name: string, { kind, seconds, beside, send }: StreamStep): string {
  const durationText =
    beside === true ? 'beside the rest of the journey' : seconds === undefined ? 'to the end of the load' : `for ${formatSeconds(seconds)}`;
  const sends =
    send === undefined
      ? ''
      : ` Each user sends ${send.messages.length === 1 ? 'a message' : `${send.messages.length} messages`} over it${
          send.everySeconds === undefined ? '' : ` every ${formatSeconds(send.everySeconds)}`
        }.`;
  return `“${name}” is ${kind === 'websocket' ? 'a WebSocket' : 'an event stream'}, held ${durationText}.${sends}`;
}

function pollSentences({ journey }: Plan): string[] {
  return journey.flatMap(({ name, poll }) =>
    poll === undefined
      ? []
      : [
          `“${name}” is asked again and again, first after ${formatSeconds(poll.firstSeconds)}, for at most ${formatSeconds(poll.mostSeconds)}, until its body ${poll.until.map(describeCheck).join(', and ')}.`,
        ],
  );
}

function describeRepeats({ journey }: Plan): string[] {
  return journey.flatMap(({ name, again }) =>
    again === undefined
      ? []
      : [`“${name}” is sent again at once for the next page of its list, as long as a response names one (“${again.while}”).`],
  );
}

function describeFeeds({ feeds }: Plan): string[] {
  return Object.entries(feeds ?? {}).map(([name, { file, order }]) => {
    switch (order) {
      case 'sequential':
        return `Each journey takes the next row of “${name}” (${file}), and after the last the first again.`;
      case 'random':
        return `Each journey takes any row of “${name}” (${file}).`;
      case 'unique':
        return `Each user has a row of “${name}” (${file}) that nobody else has.`;
      case 'once':
        return `Each journey takes a row of “${name}” (${file}) that was never used before.`;
      default:
        return order satisfies never;
    }
  });
}

function formatVariable(variable: Variable | { readonly kind: 'secret' }): string {
  switch (variable.kind) {
    case 'uuid':
      return `a random UUID${formatPer(variable.per)}`;
    case 'integer':
      return `a random number from ${formatNumber(variable.from)} to ${formatNumber(variable.to)}${formatPer(variable.per)}`;
    case 'item':
      return `one of ${variable.of.length === 1 ? 'one text' : `${formatNumber(variable.of.length)} texts`}${formatPer(variable.per)}`;
    case 'number':
      return `the number of the user, from ${formatNumber(variable.from)} on`;
    case 'timestamp':
      return 'the time of the request';
    case 'secret':
      return 'a secret';
    default:
      return variable satisfies never;
  }
}

function describePeople({ people }: Plan): string[] {
  if (people === undefined) return [];
  const { many, milestones = {}, items } = people;
  const steps = Object.entries(milestones).map(([name, step]) => `${name} (“${step}”)`);
  const each = items?.each === undefined ? '' : ` of ${formatNumber(items.each)}`;
  return [
    steps.length === 0 ? `The users are ${many}.` : `The users are ${many}, with the milestones ${steps.join(', ')}.`,
    ...(items === undefined
      ? []
      : [`Successful responses to ${joinNames(items.steps.map((step) => `“${step}”`))} are counted${each} for each.`]),
  ];
}

function formatPer(per: 'user' | 'journey' | 'request'): string {
  return per === 'journey' ? ' for each journey' : ` for each ${per}`;
}
