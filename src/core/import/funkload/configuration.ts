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

  /** Returns a setting with `%(name)s` interpolated; null if it is not set or refers to an unset one. */
  get(section: string, name: string): string | null {
    const value = this.sections.get(section)?.get(name.toLowerCase());
    return value === undefined ? null : this.interpolate(section, value, 0);
  }

  /** Returns a number; null if the setting is none. `.1` is a number. */
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

/** The limit of Python’s ConfigParser. */
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
