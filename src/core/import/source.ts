import { isBlock, parseJson } from '#core/base/json.ts';
import { readYaml } from '../plan/readYaml.ts';
import { type ImportResult, refuse } from './imported.ts';
import { shellCommands, type ToolCommands } from './shells/shellCommands.ts';
import { textOfMarkup } from './shells/typed.ts';
import { readXml, type XmlElement } from './xml.ts';

const MAX_COMMANDS_LENGTH = 1_000_000;

/** Matches a prompt in brackets, or wiki markup around code. The text begins like JSON but is not JSON. */
const COMMAND_BEGINNING_PATTERN = /^(?:\[[^\]\n]{1,80}\]\s?[$#%>]|\{\{\{|\{\s+[A-Za-z$]|\{(?:code|noformat))/;
/** Matches beginnings that only documents have. Descriptions in a document may contain commands, which must not be read. */
const DOCUMENT_BEGINNING_PATTERN =
  /^["']?(?:openapi|swagger|holdfast|holdfastPreset|scenarios)["']?\s*:|^type:\s*["']?collection\.insomnia\.rest/m;

/** A pasted text. Each way to parse it is tried at most once, and only when an importer needs it. */
export class Source {
  readonly text: string;
  readonly trimmed: string;
  private readonly parsed = new Map<string, unknown>();

  constructor(pasted: string) {
    const text = pasted.startsWith('\ufeff') ? pasted.slice(1) : pasted;
    this.text = textOfMarkup(text) ?? text;
    this.trimmed = this.text.trim();
  }

  get isXml(): boolean {
    return this.trimmed.startsWith('<') && !/^<(?:https?:|!--[^<]*-->$)/i.test(this.trimmed);
  }

  /** Whether the text must be JSON, or a YAML document whose strings may contain code. */
  get isDocument(): boolean {
    return (/^[[{]/.test(this.trimmed) && !COMMAND_BEGINNING_PATTERN.test(this.trimmed)) || DOCUMENT_BEGINNING_PATTERN.test(this.text);
  }

  /** The root element; null if the text is not valid XML. */
  get xml(): XmlElement | null {
    return this.readXml().root;
  }

  /** The value of a JSON or YAML document; undefined for any other text. */
  get value(): unknown {
    return this.readDocument().value;
  }

  /** The values of several JSON documents that follow each other. */
  get documents(): readonly unknown[] {
    return this.readOnce('documents', () => {
      const { value } = this;
      return value === undefined ? jsonDocuments(this.trimmed) : [value];
    });
  }

  get commands(): ToolCommands['commands'] {
    return this.toolCommands?.commands ?? [];
  }

  /** The commands, and everything else in the shell text; null for a text that cannot contain commands. */
  get toolCommands(): ToolCommands | null {
    return this.readOnce('commands', () => {
      return this.text.length > MAX_COMMANDS_LENGTH || this.isDocument ? null : shellCommands(this.trimmed);
    });
  }

  /** Returns why the text is invalid in the given syntax; null if it is valid. */
  problemAs(syntax: 'xml' | 'document'): ImportResult | null {
    if (syntax === 'document') return this.readDocument().refusal;
    const { problem } = this.readXml();
    const hint = 'A JMX file begins with <?xml … and <jmeterTestPlan>. This one is probably incomplete.';
    return problem === null ? null : refuse('NO_XML', '', `The text is not valid XML: ${problem}.`, hint);
  }

  private readXml(): ReturnType<typeof readXml> {
    return this.readOnce('xml', () => readXml(this.trimmed));
  }

  private readDocument(): { readonly value?: unknown; readonly refusal: ImportResult | null } {
    return this.readOnce('document', () => {
      // Leading whitespace is kept, because the whole text may be indented and problems are reported by line.
      const text = unwrapJsonp(this.text);
      if (/^\s*[[{]/.test(text)) {
        const value = parseJson(text.trim());
        const hint = 'It is probably incomplete or was edited by hand. Look for a missing bracket, comma or quote.';
        const refusal = refuse('NO_JSON', '', 'The text begins like JSON but is not valid JSON.', hint);
        return { value, refusal: value === undefined ? refusal : null };
      }
      const { value, issues } = readYaml(text);
      return issues.length === 0 ? { value, refusal: null } : { refusal: { kind: 'refused', issues, notes: [] } };
    });
  }

  private readOnce<Value>(way: string, read: () => Value): Value {
    if (!this.parsed.has(way)) this.parsed.set(way, read());
    return this.parsed.get(way) as Value;
  }
}

/** Returns the JSON argument of a call (JSONP), because recordings are also published in this form. */
function unwrapJsonp(text: string): string {
  const [, json] = /^\s*[A-Za-z_$][\w$.]{0,60}\(\s*([{[][^]*[}\]])\s*\)\s*;?\s*$/.exec(text) ?? [];
  return json ?? text;
}

const MAX_DOCUMENTS = 20;

/** Returns JSON documents that follow each other; none if one of them is invalid. */
function jsonDocuments(text: string): unknown[] {
  if (!text.startsWith('{')) return [];
  const parts = text.split(/(?<=\})\s*\n(?=\{)/, MAX_DOCUMENTS);
  const read: unknown[] = [];
  let open = '';
  for (const part of parts) {
    open = open === '' ? part : `${open}\n${part}`;
    const value = parseJson(open);
    if (value === undefined) continue;
    read.push(value);
    open = '';
  }
  return open === '' ? read : [];
}

/** Returns whether a document has these members at the top level. */
export function hasMembers({ value }: Source, ...names: readonly string[]): boolean {
  return isBlock(value) && names.every((name) => Object.hasOwn(value, name));
}
