import { readImported, linesOfNotes, writtenBeside } from '#core/import/testing/imported.ts';

export type Properties = Readonly<Record<string, string>>;

export const properties = (given: Properties): string =>
  Object.entries(given)
    .map(([name, value]) => `<stringProp name="${name}">${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</stringProp>`)
    .join('');
export const element = (kind: string, title: string, given: Properties = {}, below = '', inside = ''): string =>
  `<${kind} testname="${title}" enabled="true">${properties(given)}${inside}</${kind}><hashTree>${below}</hashTree>`;
export const collection = (name: string, ...members: readonly string[]): string =>
  `<collectionProp name="${name}">${members.join('')}</collectionProp>`;
export const member = (given: Properties): string => `<elementProp>${properties(given)}</elementProp>`;
export const within = (name: string, inside: string): string => `<elementProp name="${name}">${inside}</elementProp>`;
export const argument = (name: string, value: string): string => member({ 'Argument.name': name, 'Argument.value': value });
export const HOST = { 'HTTPSampler.domain': 'a.example', 'HTTPSampler.path': '/' };
export const request = (given: Properties = {}, below = '', inside = '', title = 'R'): string =>
  element('HTTPSamplerProxy', title, { ...HOST, ...given }, below, inside);
export const withArguments = (...given: readonly string[]): string =>
  within('HTTPsampler.Arguments', collection('Arguments.arguments', ...given));
export const withFiles = (...given: readonly Properties[]): string =>
  within('HTTPsampler.Files', collection('HTTPFileArgs.files', ...given.map(member)));
export const group = (below: string, given: Properties = {}, inside = ''): string =>
  element('ThreadGroup', 'G', { 'ThreadGroup.num_threads': '1', ...given }, below, inside);
export const scheduled = { 'ThreadGroup.scheduler': 'true', 'ThreadGroup.duration': '60' };
export const planDocument = (below: string, given: Properties = {}, inside = ''): string =>
  `<?xml version="1.0"?><jmeterTestPlan version="1.2"><hashTree>${element('TestPlan', 'P', given, below, inside)}</hashTree></jmeterTestPlan>`;

/** Returns the steps of a plan, the other fields that vary between tests, and the notes. */
export function toPlainValues(text: string): unknown[] {
  const imported = readImported(text);
  const journey = imported.written['journey'] as object[];
  const more = writtenBeside(imported, 'journey', 'load', 'targets', 'name', 'holdfast');
  return [...journey, ...(Object.keys(more).length === 1 && more['cookies'] === 'ignore' ? [] : [more]), ...linesOfNotes(imported)];
}
export const readOfGroup = (below: string): unknown[] => toPlainValues(planDocument(group(below, scheduled)));
