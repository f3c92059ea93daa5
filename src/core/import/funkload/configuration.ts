import type { Draft, WrittenStep } from '../draft.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { type GivenArguments, plainText, toList, unknown, type Value } from './python/values.ts';

/** Settings by section, parsed like Python’s ConfigParser. */
export class Configuration {
  private readonly sections: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(text: string) {
    this.sections = readIni(text);
  }

  get names(): string[] {
    return [...this.sections.keys()];
  }

  has(section: string): boolean {
    return this.sections.has(section);
  }

  /** Returns a setting with `%(name)s` interpolated; null if it or a setting that it refers to is not set. */
  get(section: string, name: string): string | null {
    const value = this.sections.get(section)?.get(name.toLowerCase());
    return value === undefined ? null : this.interpolate(section, value, 0);
  }

  /** Returns a number; null if the setting is not one. `.1` is a number. */
  number(section: string, name: string): number | null {
    const text = this.get(section, name)?.trim() ?? '';
    return /^(\d{1,9}(\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : null;
  }

  private interpolate(section: string, value: string, depth: number): string | null {
    if (depth > MAX_INTERPOLATION_DEPTH || value.length > MAX_VALUE_CHARACTERS) return null;
    let isKnown = true;
    const filled = value.replaceAll(/%(?:\(([^()]{1,120})\)s|%)/g, (_, name?: string) => {
      if (name === undefined) return '%';
      const inner = this.sections.get(section)?.get(name.toLowerCase()) ?? this.sections.get('DEFAULT')?.get(name.toLowerCase());
      const text = inner === undefined ? null : this.interpolate(section, inner, depth + 1);
      isKnown &&= text !== null;
      return text ?? '';
    });
    return isKnown ? filled.slice(0, MAX_VALUE_CHARACTERS) : null;
  }
}

/** Maximum depth of interpolation: the limit of Python’s ConfigParser. */
const MAX_INTERPOLATION_DEPTH = 10;
const MAX_VALUE_CHARACTERS = 2_000;

/** Parses `name = value` and `name: value`. # and ; begin comments; indented lines continue the previous value. */
function readIni(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | null = null;
  let last = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || /^([#;]|rem\s)/i.test(line)) continue;
    const name = /^\[([^\]]{1,120})\]/.exec(line)?.[1];
    if (name !== undefined) {
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      last = '';
      continue;
    }
    if (section === null) continue;
    const continues = /^\s/.test(line) && last !== '';
    const at = line.search(/[=:]/);
    if (continues) section.set(last, `${section.get(last) ?? ''}\n${line.trim()}`.slice(0, MAX_VALUE_CHARACTERS));
    else if (at > 0) {
      last = line.slice(0, at).trim().toLowerCase();
      // A comment after a value begins with a space and a semicolon.
      const value = (line.slice(at + 1).split(/\s;/, 1)[0] ?? '').trim();
      section.set(last, (value === '""' ? '' : value).slice(0, MAX_VALUE_CHARACTERS));
    }
  }
  return sections;
}

/** FunkLoad’s settings for fetching a page: accepted statuses, redirects and resources. */
export interface FetchSettings {
  readonly okCodes: readonly number[];
  readonly isSimple: boolean;
}

/** Accepted statuses by default in `FunkLoadTestCase`. */
const DEFAULT_OK_CODES = [200, 301, 302, 303, 307];
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307]);
const MAX_CODES = 50;

/** Returns the settings of the section [bench]; the section [ftest] is for single runs. */
export function readFetching(configuration: Configuration | null): FetchSettings {
  return {
    okCodes: readOkCodes((configuration?.get('bench', 'ok_codes') ?? '').split(':')) ?? DEFAULT_OK_CODES,
    isSimple: (configuration?.number('bench', 'simple_fetch') ?? 0) !== 0,
  };
}

/** Returns the valid statuses without duplicates; null if there are none. */
export function readOkCodes(written: readonly (string | number)[]): number[] | null {
  const codes = written.map(Number).filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
  return codes.length === 0 ? null : [...new Set(codes)].slice(0, MAX_CODES);
}

/**
 * Returns the step fields of a page. As in FunkLoad, a redirect is followed only if its status is accepted; otherwise it fails or is the
 * expected response.
 */
export function pageFields(
  { okCodes, isSimple }: FetchSettings,
  { follows = true, mayEndAtLogin = false } = {},
): Pick<WrittenStep, 'expectStatus' | 'redirects' | 'resources' | 'required'> {
  const final = okCodes.filter((code) => !REDIRECT_STATUSES.has(code));
  const isFollowed = follows && final.length < okCodes.length;
  return {
    // If only redirects are accepted, no final page has an accepted status, so the redirect itself is expected.
    expectStatus: isFollowed && final.length > 0 ? final : [...okCodes],
    ...(isFollowed ? { redirects: { follow: true as const, most: 10, ...(mayEndAtLogin ? { mayEndAtLogin } : {}) } } : {}),
    ...(isSimple
      ? {}
      : { resources: { kinds: ['css' as const, 'image' as const, 'icon' as const], how: 'serial' as const, reads: 'tags' as const } }),
    required: true,
  };
}

/** Returns what `conf_get` and its typed variants return to a test. */
export function readConfiguredValue(
  { draft, configuration }: { readonly draft: Draft; readonly configuration: Configuration | null },
  name: string,
  { values, named }: GivenArguments,
  location: string,
): Value {
  const [section, key] = [plainText(values[0]) ?? '', plainText(values[1]) ?? ''];
  const written = configuration?.get(section, key) ?? null;
  if (written === null) {
    const otherwise = values[2] ?? named.get('default');
    if (otherwise !== undefined) return otherwise;
    draft.noteAssumed(
      location,
      `The configuration has no ${key} in [${section}].`,
      'Import the configuration with the test: holdfast import funkload NAME.conf test_NAME.py',
    );
    return unknown(`${section}.${key}`);
  }
  if (name === 'conf_getInt' || name === 'conf_getFloat') {
    const number = Number(written);
    return written.trim() === '' || !Number.isFinite(number) ? unknown(`${section}.${key}`) : number;
  }
  if (name === 'conf_getList')
    return toList(
      written
        .split(plainText(named.get('separator')) ?? ':')
        .slice(0, 1_000)
        .map(escapePlaceholders),
    );
  return escapePlaceholders(written);
}
