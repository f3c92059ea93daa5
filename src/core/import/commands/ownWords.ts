import { getOwn } from '#core/base/ownMembers.ts';
import { parseJson } from '#core/base/json.ts';
import { METHODS } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import { formText } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';

// Converts special syntax of some programs to options of their tables.

/** Splits a curl command at `--next`: each section is a request with its own options. */
export function curlSections(_draft: Draft, command: ToolCommand): ToolCommand[] {
  const sections: string[][] = [[]];
  for (const word of command.words) {
    if (word === '--next' || word === '-:') sections.push([]);
    else sections.at(-1)?.push(word);
  }
  return sections.filter((words, index) => words.length > 0 || index === 0).map((words) => ({ ...command, words }));
}

/** Converts words of siege: `-t` is in minutes without a unit, and one word contains address, method and body. */
export function siegeWords(_draft: Draft, command: ToolCommand): ToolCommand[] {
  const words: string[] = [];
  for (let index = 0; index < command.words.length; index += 1) {
    const word = command.words[index] ?? '';
    const [, option = '', attached = ''] = /^(-t|--time)(?:=?(.*))$/.exec(word) ?? [];
    if (option !== '') {
      const time = attached === '' ? (command.words[(index += 1)] ?? '') : attached;
      words.push('-t', /^\d+$/.test(time) ? `${time}m` : time);
      continue;
    }
    const [, address, method, body] = /^(\S+)\s+(POST|PUT|PATCH|DELETE)(?:\s+([^]*))?$/.exec(word) ?? [];
    if (address === undefined || method === undefined) words.push(word);
    else words.push(address, '--method', method, ...(body === undefined ? [] : ['--body', body.trim()]));
  }
  return [{ ...command, words }];
}

/** Splits a vegeta command by its targets on standard input: method and address on one line, headers below, and `@file` for a body. */
export function vegetaTargets(draft: Draft, command: ToolCommand): ToolCommand[] {
  const words = command.words.flatMap((word, index) => {
    if (word === 'attack' && index === 0) return [];
    const [, begin = '', count = '', every = ''] = /^(--?rate=)?(\d+)\/(\d*[a-z]+)$/.exec(word) ?? [];
    return count === '' ? [word] : [`${begin}${perSecond(Number(count), every)}`];
  });
  if (words.some((word) => /^--?(?:rate|duration)=0s?$/.test(word)))
    draft.changed('attack', 'A rate or a duration of 0 has no end.', 'The plan uses the defaults: 50 requests a second, and 60 seconds.');
  const kept = words.filter((word) => !/^--?(?:rate|duration)=0s?$/.test(word));
  const text = command.input?.kind === 'text' ? command.input.text : '';
  const targets = text
    .split(/\n(?=\s*[A-Z]+\s+\S)/)
    .slice(0, 200)
    .flatMap((target) => {
      const [line = '', ...below] = target.trim().split('\n');
      const [, method, address] = /^([A-Z]+)\s+(\S+)$/.exec(line.trim()) ?? [];
      if (method === undefined || address === undefined) return [];
      const headers = below.flatMap((one) => (one.trim() === '' || one.startsWith('@') ? [] : ['-header', one.trim()]));
      const body = below.find((one) => one.startsWith('@'));
      return [[...kept, '-X', method, ...headers, ...(body === undefined ? [] : ['-body', body.slice(1).trim()]), address]];
    });
  return targets.length === 0 ? [{ ...command, words: kept }] : targets.map((own) => ({ ...command, words: own, input: null }));
}

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3_600 };

function perSecond(count: number, every: string): number {
  const [, number = '', unit = ''] = /^(\d*)(ms|s|m|h)$/.exec(every) ?? [];
  const seconds = getOwn(SECONDS, unit) ?? 1;
  return Math.round((count / ((number === '' ? 1 : Number(number)) * seconds)) * 1_000) / 1_000;
}

const ADD_TO_BODY = 'Add it to the body of the plan.';

/** Separates name and value of an HTTPie item. The earliest match counts, and the longest at the same position. */
const SEPARATOR = /:=@|=@|==|:=|:|=|@/;
const HTTPIE_WITH_VALUE =
  /^(?:-[aAopsSC]|--(?:auth|auth-type|timeout|verify|max-redirects|proxy|cert|cert-key|raw|print|pretty|style|output|session|session-read-only|boundary|ssl|ciphers|max-headers|default-scheme|bearer|format-options|response-mime|response-charset|http-version|resolve|interface))$/;

/** Converts items of HTTPie and xh after the address: `name=value` (member), `name:value` (header), `name==value` (parameter). */
export function httpieWords(draft: Draft, command: ToolCommand): ToolCommand[] {
  const options: string[] = [];
  const positional: string[] = [];
  for (let index = 0; index < command.words.length; index += 1) {
    const word = command.words[index] ?? '';
    if (!word.startsWith('-') || word === '-') positional.push(word);
    else {
      options.push(word);
      if (HTTPIE_WITH_VALUE.test(word)) options.push(command.words[(index += 1)] ?? '');
    }
  }
  const named = METHODS.find((method) => method === positional[0]?.toUpperCase());
  const [written = '', ...items] = named === undefined ? positional : positional.slice(1);
  const words = withBearer(options);
  const data: (readonly [name: string, value: unknown])[] = [];
  const query: string[] = [];
  const isForm = options.some((option) => option === '-f' || option === '--form');
  let isMultipart = options.includes('--multipart');
  const files: string[] = [];
  for (const item of items) {
    const found = SEPARATOR.exec(item.replaceAll(/\\[:=@;]/g, '__'));
    const name = found === null ? item : item.slice(0, found.index).replaceAll(/\\(?=[:=@;])/g, '');
    const value = found === null ? '' : item.slice(found.index + found[0].length);
    if (found === null) draft.leftOut(item.slice(0, 60), 'This is not an item of HTTPie.');
    else if (found[0] === ':') words.push('-H', value === '' ? `${name};` : `${name}: ${value}`);
    else if (found[0] === '==') query.push(`${formText(name)}=${formText(value)}`);
    else if (found[0] === '@') {
      isMultipart = true;
      files.push('--part', `${name}=@${value}`);
    } else if (found[0].endsWith('@')) draft.leftOut(item.slice(0, 60), 'A value is in a file.', ADD_TO_BODY);
    else if (/[[\]]/.test(name)) draft.leftOut(name.slice(0, 60), 'A member within another one has no equivalent here.', ADD_TO_BODY);
    else data.push([name, found[0] === ':=' ? (parseJson(value) ?? value) : value]);
  }
  if (isMultipart) words.push(...data.flatMap(([name, value]) => ['--form-string', `${name}=${String(value)}`]), ...files);
  else if (isForm && data.length > 0)
    words.push('--urlencoded', data.map(([name, value]) => `${formText(name)}=${formText(String(value))}`).join('&'));
  else if (data.length > 0) words.push('--json-body', JSON.stringify(Object.fromEntries(data)));
  else if (command.input !== null && !options.includes('--raw')) words.push('--data-binary', '@-');
  if (named !== undefined) words.push('--method', named);
  const host = written.startsWith(':') ? `localhost${written.replace(/^:(?=\/|$)/, '')}` : written;
  const address = /^https?:\/\//i.test(host) ? host : `${command.name === 'https' || command.name === 'xhs' ? 'https' : 'http'}://${host}`;
  const joined = query.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`;
  return [{ ...command, words: written === '' ? words : [...words, joined] }];
}

/** Converts `-A bearer -a TOKEN` to `--bearer`, and removes the form switches. */
function withBearer(options: readonly string[]): string[] {
  const type = options.findIndex((option) => option === '-A' || option === '--auth-type');
  if (type < 0 || options[type + 1] !== 'bearer')
    return options.filter((option) => option !== '-f' && option !== '--form' && option !== '--multipart');
  return options
    .filter((option, index) => index !== type && index !== type + 1 && option !== '-f' && option !== '--form' && option !== '--multipart')
    .map((option) => (option === '-a' || option === '--auth' ? '--bearer' : option));
}
