import { readTags } from '#core/work/pages/readTags.ts';
import { type NamedLocation, escapeRegExp, isAlike, type ValueLocation, maskVariableParts } from './valueLocation.ts';
import type { Needles } from './needles.ts';
import type { Exchange } from './walk.ts';

const QUOTED_VALUE_PATTERNS = ['"([^"]*)"', "'([^']*)'", `["']?([^"'\\s>]*)`] as const;

/** Finds a value in the attributes of a page’s tags, in any order of the attributes. */
export function fieldPlaces(value: string, page: Page, leaf: NamedLocation, needles: Needles): ValueLocation[] {
  // Bounds the length of a tag. Without a bound, a page with many unclosed tags would take quadratic time.
  const within = `[^>]{0,${value.length < 500 ? 2_000 : 100_000}}`;
  const places: ValueLocation[] = [];
  const add = (location: Omit<ValueLocation, 'finder' | 'isListed'>, tag: string, scope: string, end = ''): void => {
    for (const which of ['first', 'last'] as const)
      for (const quoted of QUOTED_VALUE_PATTERNS) {
        const pattern = `${scope}${tag}${quoted}${end}`;
        if (pattern.length <= MAX_PATTERN_LETTERS)
          places.push({
            ...location,
            isListed: false,
            finder: { from: 'body', pattern, html: true, ...(which === 'last' ? { which } : {}) },
          });
      }
  };
  for (const { tag, attribute, name, id, form, choice } of findAttributes(value, page, needles)) {
    if (places.length > 400) break;
    if (/^(input|button|option)$/.test(tag) && attribute === 'value' && name !== '') {
      const location = { kind: 'field', called: name, isRelated: isAlike(name, leaf) } as const;
      for (const named of namePatterns(name)) {
        const own = `(?=${within}\\sname=["']?${named}["'\\s/>])`;
        const isOption = tag === 'option';
        const [begin, scope] = isOption ? ['<option', `<select${own}${within}>(?:(?!</select>)[^]){0,20000}?`] : [`<${tag}${own}`, ''];
        if (choice?.isProposed === true) add(location, `${begin}(?=${within}\\s(?:selected|checked)[\\s=/>])${within}\\svalue=`, scope);
        const words = choice === null ? '' : wordsPattern(choice.label);
        if (words !== '') add(location, `${begin}${within}\\svalue=`, scope, `${within}>${words}`);
        if (isOption) {
          add(location, `<option${within}\\svalue=(?!""|''|[\\s>])`, scope);
          continue;
        }
        const pattern = `<${tag}(?=${within}\\sname=["']?${named}["'\\s/>])${within}\\svalue=`;
        add(location, pattern, '');
        if (form !== '') add(location, pattern, `${form}(?:(?!</form)[^]){0,20000}?`);
      }
    } else if (tag === 'meta' && attribute === 'content' && name !== '')
      add(
        { kind: 'field', called: name, isRelated: isAlike(name, leaf) },
        `<meta(?=${within}\\s(?:name|property)=["']?${escapeRegExp(name)}["'\\s/>])${within}\\scontent=`,
        '',
      );
    else if (id !== '')
      add(
        { kind: 'attribute', called: attribute, isRelated: isAlike(attribute, leaf) || isAlike(id, leaf) },
        `<${tag}(?=${within}\\sid=["']?${escapeRegExp(id)}["'\\s/>])${within}\\s${escapeRegExp(attribute)}=`,
        '',
      );
    else if (attribute.startsWith('data-'))
      add({ kind: 'attribute', called: attribute, isRelated: isAlike(attribute, leaf) }, `\\s${escapeRegExp(attribute)}=`, '');
  }
  return places;
}

/** Maximum length of a pattern in a plan. */
const MAX_PATTERN_LETTERS = 1_000;
const MAX_LABEL_LETTERS = 80;

/** Returns a pattern for the label after a choice, with any tags between its words. */
function wordsPattern(label: string): string {
  const words = label.trim().split(/\s+/);
  if (words[0] === '' || label.length > MAX_LABEL_LETTERS) return '';
  const text = words.map((word) => escapeRegExp(word).replaceAll(/[&<>"']/g, '(?:&[#\\w]{2,8};|.)')).join('\\s+');
  return `(?:\\s|<(?!input|option)[^>]{0,300}>){0,12}?${text}\\s*<`;
}

const MAX_NUMBERS = 3;

/** Returns patterns for a field name: exact, and with any number in place of each number. Names may change in each session. */
function namePatterns(name: string): string[] {
  const pieces = name.split(/(\d+)/);
  const numbers = pieces.flatMap((_, index) => (index % 2 === 1 ? [index] : []));
  if (numbers.length > MAX_NUMBERS) return [escapeRegExp(name)];
  return [null, ...numbers].map((any) => pieces.map((piece, index) => (index === any ? '\\d{1,20}' : escapeRegExp(piece))).join(''));
}

/** An attribute with the properties that identify its tag. */
interface FoundAttribute {
  readonly tag: string;
  readonly attribute: string;
  readonly name: string;
  readonly id: string;
  /** A pattern for the surrounding form; empty outside a form. */
  readonly form: string;
  /** For an option, a radio button or a checkbox: whether the page preselects it, and its label. */
  readonly choice: { readonly isProposed: boolean; label: string } | null;
}

type Page = Pick<Exchange, 'text'>;

const MAX_SAME_VALUES = 50;
/** Caches the attributes of a page: its tags are read once for all needles. */
const attributesByPage = new WeakMap<Page, { readonly needles: Needles; readonly found: ReadonlyMap<string, readonly FoundAttribute[]> }>();

function findAttributes(value: string, page: Page, needles: Needles): readonly FoundAttribute[] {
  if (!needles.has(value)) return collectAttributes(page, (text) => text === value).get(value) ?? [];
  let known = attributesByPage.get(page);
  if (known?.needles !== needles)
    attributesByPage.set(page, (known = { needles, found: collectAttributes(page, (text) => needles.has(text)) }));
  return known.found.get(value) ?? [];
}

/** Matches attributes that a form does not send: names, addresses and measures. */
const NON_VALUE_ATTRIBUTE_PATTERN =
  /^(id|name|class|style|href|src|action|type|role|tabindex|size|rows|cols|start|step|min|max|low|high|optimum|(min|max)length|(col|row)?span|width|height|border|cell(padding|spacing)|aria-.*|on.*)$/;

/** Returns the wanted attributes of a page by their values. An option has the name of its list. */
function collectAttributes(page: Page, isWanted: (value: string) => boolean): ReadonlyMap<string, readonly FoundAttribute[]> {
  const found = new Map<string, FoundAttribute[]>();
  let form = '';
  let list = '';
  let open: FoundAttribute['choice'] = null;
  const endLabel = (): void => {
    if (open !== null && open.label.trim() !== '') open = null;
  };
  readTags(page.text ?? '', {
    wants: () => true,
    text: (text) => {
      if (open !== null && open.label.length <= MAX_LABEL_LETTERS) open.label += text;
    },
    close: (tag) => {
      endLabel();
      if (tag === 'form') form = '';
      if (tag === 'select') list = '';
    },
    open: (tag, attributes) => {
      endLabel();
      if (tag === 'form') form = formScope(attributes);
      if (tag === 'select') list = attributes.get('name') ?? '';
      if (tag === 'option' || tag === 'input') open = null;
      const [id, name] = [
        attributes.get('id') ?? '',
        attributes.get('name') ?? attributes.get('property') ?? (tag === 'option' ? list : ''),
      ];
      const isChoice = tag === 'option' || (tag === 'input' && /^(radio|checkbox)$/i.test(attributes.get('type') ?? ''));
      const choice = isChoice ? { isProposed: attributes.has('selected') || attributes.has('checked'), label: '' } : null;
      for (const [attribute, value] of attributes) {
        if (value === '' || !isWanted(value) || NON_VALUE_ATTRIBUTE_PATTERN.test(attribute)) continue;
        const alike = found.get(value) ?? [];
        if (choice !== null) open = choice;
        if (alike.length < MAX_SAME_VALUES) alike.push({ tag, attribute, name, id, form, choice });
        found.set(value, alike);
      }
    },
  });
  return found;
}

/** Returns a pattern for a form by its id or action. Numbers and tokens in the action may differ. */
function formScope(attributes: ReadonlyMap<string, string>): string {
  const [id, action] = [attributes.get('id'), attributes.get('action')];
  if (id !== undefined && id !== '' && !/\d{3}/.test(id))
    return `<form(?=[^>]{0,2000}\\sid=["']?${escapeRegExp(id)}["'\\s/>])[^>]{0,2000}>`;
  if (action === undefined || action === '') return '';
  return `<form(?=[^>]{0,2000}\\saction=["']?${maskVariableParts(action.replaceAll('&', '&amp;'))}["'\\s>])[^>]{0,2000}>`;
}
