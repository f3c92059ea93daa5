import { isBlock, parseJson } from '#core/base/json.ts';
import { readYaml, DOCUMENT_TOO_DEEP, tooLong } from '../plan/readYaml.ts';
import { importArtillery } from './artillery/importArtillery.ts';
import { importAddress, importCommands } from './commands/importCommand.ts';
import { importFunkload, isFunkload } from './funkload/importFunkload.ts';
import { importHar } from './har/importHar.ts';
import { KIND_NAMES, refuse, type Chosen, type ImportKind, type ImportResult } from './imported.ts';
import { importJmeter } from './jmeter/importJmeter.ts';
import { importOpenApi } from './openapi/importOpenApi.ts';
import { importPostman } from './postman/importPostman.ts';
import { listAt } from './reading.ts';
import { readAddress } from './address.ts';
import { shellCommands } from './shells/shellCommands.ts';
import { textOfMarkup } from './shells/typed.ts';
import { readXml } from './xml.ts';
import { EXAMPLE_COMMAND } from './notes.ts';
import { NOTHING_IN_IT } from '../plan/migrate.ts';

export interface ImportOptions {
  /** null or left out: found out from the text. */
  readonly kind?: ImportKind | null;
  /** null or left out: what each importer takes by itself. */
  readonly chosen?: Chosen | null;
}

/** A recording of a busy hour has some tens of megabytes. */
const LONGEST_TEXT = 100_000_000;
const LONGEST_COMMANDS = 1_000_000;

/**
 * Makes a plan of what was pasted or dropped: a command line, an address, or a document of another tool. Never throws for what is in the text, runs nothing
 * that stands in it, and opens neither a file nor a connection that it names.
 */
export function importText(pasted: string, { kind = null, chosen = null }: ImportOptions = {}): ImportResult {
  return readText(pasted, kind)(chosen);
}

/** Makes a plan of a text with these parts of it; null: what its importer takes by itself. Parts that such a text never has are refused. */
export type MakePlan = (chosen: Chosen | null) => ImportResult;

/** As {@link importText}, for several choices among the parts of one text, which is read but once. */
export function readText(pasted: string, kind: ImportKind | null = null): MakePlan {
  if (pasted.length > LONGEST_TEXT) return always({ kind: 'refused', issues: [tooLong('TOO_LONG', pasted, LONGEST_TEXT)], notes: [] });
  let make: MakePlan | undefined;
  return (chosen) => {
    try {
      make ??= read(pasted.startsWith('\ufeff') ? pasted.slice(1) : pasted, kind);
      return make(chosen);
    } catch (thrown) {
      // The stack of calls is all that a deeply nested document can exhaust.
      if (!(thrown instanceof RangeError)) throw thrown;
      return refuse('TOO_DEEP', '', DOCUMENT_TOO_DEEP, 'Probably no tool wrote it.');
    }
  };
}

/** Of a text without parts to choose among. */
function always(result: ImportResult): MakePlan {
  return (chosen) => (chosen === null || result.kind === 'refused' ? result : otherParts(chosen));
}

function otherParts({ kind }: Chosen): ImportResult {
  const [document, parts] = kind === 'operations' ? [KIND_NAMES.openapi, kind] : [KIND_NAMES.artillery, 'environments'];
  return refuse('OTHER_PARTS', '', `Only ${document} has ${parts}; this is something else.`, `Remove the choice of ${parts}.`);
}

function read(pasted: string, kind: ImportKind | null): MakePlan {
  if (pasted.trim() === '') return always(refuse('EMPTY', '', NOTHING_IN_IT, EXAMPLE_COMMAND));
  const text = textOfMarkup(pasted) ?? pasted;
  switch (kind) {
    case null:
      return recognised(text);
    case 'jmeter':
      return always(fromXml(text));
    case 'funkload':
      return always(isFunkload(text) ? importFunkload(text) : otherKind(kind));
    case 'har':
    case 'openapi':
    case 'postman':
    case 'artillery':
      return fromDocument(text, kind);
    default:
      return always(fromCommand(text, kind));
  }
}

function fromCommand(text: string, kind: ImportKind): ImportResult {
  const commands = text.length > LONGEST_COMMANDS ? null : shellCommands(text);
  const tool = commands?.commands[0]?.tool;
  const isRight = tool === kind || (kind === 'wrk2' && tool === 'wrk') || (kind === 'wrk' && tool === 'wrk2');
  if (commands === null || !isRight) return otherKind(kind);
  return importCommands(commands);
}

function otherKind(kind: ImportKind): ImportResult {
  return refuse('OTHER_KIND', '', `This is not ${KIND_NAMES[kind]}.`, 'holdfast import auto detects the format.');
}

function fromXml(text: string): ImportResult {
  const { root, problem } = readXml(text);
  if (root === null || problem !== null)
    return refuse(
      'NO_XML',
      '',
      `The text is not valid XML: ${problem ?? 'it is empty'}.`,
      'A JMX file begins with <?xml … and <jmeterTestPlan>. This one is probably incomplete.',
    );
  return importJmeter(root);
}

type DocumentKind = 'har' | 'openapi' | 'postman' | 'artillery';

function fromDocument(text: string, kind: DocumentKind): MakePlan {
  const found = documentOf(text);
  if (found.kind === 'refused') return always(found.result);
  if (kindOf(found.value) !== kind) return always(otherKind(kind));
  return fromValue(found.value, kind);
}

function fromValue(value: unknown, kind: DocumentKind): MakePlan {
  switch (kind) {
    case 'har':
      return always(importHar(value));
    case 'openapi':
      return (chosen) => (chosen?.kind === 'environment' ? otherParts(chosen) : importOpenApi(value, chosen?.ids ?? null));
    case 'postman':
      return always(importPostman(value));
    case 'artillery':
      return (chosen) => (chosen?.kind === 'operations' ? otherParts(chosen) : importArtillery(value, chosen?.name ?? null));
    default:
      return kind satisfies never;
  }
}

function documentOf(text: string): { kind: 'read'; value: unknown } | { kind: 'refused'; result: ImportResult } {
  if (/^\s*[[{]/.test(text)) {
    const json = parseJson(text.trim());
    if (json !== undefined) return { kind: 'read', value: json };
    return {
      kind: 'refused',
      result: refuse(
        'NO_JSON',
        '',
        'The text begins like JSON but is not valid JSON.',
        'It is probably incomplete or was edited by hand. Look for a missing bracket, comma or quote.',
      ),
    };
  }
  const { value, issues } = readYaml(text);
  return issues.length === 0 ? { kind: 'read', value } : { kind: 'refused', result: { kind: 'refused', issues, notes: [] } };
}

/** What a document is, by what only it has. */
function kindOf(value: unknown): DocumentKind | 'plan' | null {
  if (!isBlock(value)) return null;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (has('holdfast') || has('holdfastPreset')) return 'plan';
  if (has('openapi') || has('swagger')) return 'openapi';
  if (has('log') && isBlock(value['log']) && Object.hasOwn(value['log'], 'entries')) return 'har';
  if (has('item') && has('info')) return 'postman';
  if (has('collection') && isBlock(value['collection']) && Object.hasOwn(value['collection'], 'item')) return 'postman';
  return has('config') && (has('scenarios') || isBlock(value['config'])) ? 'artillery' : null;
}

/** A prompt in brackets, or what wikis put around code: no JSON, though it begins like that. */
const BEFORE_COMMANDS = /^(?:\[[^\]\n]{1,80}\]\s?[$#%>]|\{\{\{|\{\s+[A-Za-z$]|\{(?:code|noformat))/;

/** What only a document begins with: a description may tell of commands. */
const DOCUMENT = /^["']?(?:openapi|swagger|holdfast|holdfastPreset|scenarios)["']?\s*:/m;
/** A member that some document which is known here has. */
const KNOWN_MEMBER = /["']?\b(?:openapi|swagger|holdfast\w*|config|scenarios|log|info|item|collection)["']?\s*:/;

function recognised(text: string): MakePlan {
  const trimmed = text.trim();
  if (trimmed.startsWith('<') && !/^<(?:https?:|!--[^<]*-->$)/i.test(trimmed)) return always(fromXml(trimmed));
  if (isFunkload(trimmed)) return always(importFunkload(trimmed));
  if (text.length <= LONGEST_COMMANDS && !DOCUMENT.test(text) && (!/^[[{]/.test(trimmed) || BEFORE_COMMANDS.test(trimmed))) {
    const commands = shellCommands(trimmed);
    if (commands.commands.length > 0) return always(importCommands(commands));
    const only = trimmed.replaceAll(/^(['"<])(.*)(['">])$/g, '$2');
    if (
      !/\s/.test(only) &&
      (/^https?:\/\//i.test(only) || /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)|^localhost(:\d+)?([/?#]|$)/i.test(only)) &&
      readAddress(only) !== null
    )
      return always(importAddress(only));
  }
  if (!/[{[:]/.test(trimmed)) return always(unknown());
  // Its blanks at the front are part of it: a whole text may be indented, and faults are told by their lines.
  const found = documentOf(withoutCall(text));
  // Faults of YAML help nobody whose text is prose, a file of settings or source code.
  if (found.kind === 'refused') return always(KNOWN_MEMBER.test(text) ? found.result : unknown());
  const kind = kindOf(found.value);
  if (isOldPostman(found.value)) return always(oldPostman());
  if (kind === 'plan') return always(refuse('ALREADY_A_PLAN', '', 'This is already a Holdfast plan.', 'Run it: holdfast run FILE'));
  return kind === null ? always(unknown()) : fromValue(found.value, kind);
}

/** JSON as the argument of a call (JSONP), in which recordings are published too. */
function withoutCall(text: string): string {
  const [, json] = /^\s*[A-Za-z_$][\w$.]{0,60}\(\s*([{[][^]*[}\]])\s*\)\s*;?\s*$/.exec(text) ?? [];
  return json ?? text;
}

/** Version 1 of Postman's collections, which it wrote until 2017. */
function isOldPostman(value: unknown): boolean {
  const [first] = listAt(value, 'requests');
  return (
    isBlock(value) &&
    isBlock(first) &&
    Object.hasOwn(first, 'url') &&
    (Object.hasOwn(value, 'order') || Object.hasOwn(first, 'collectionId'))
  );
}

function oldPostman(): ImportResult {
  return refuse(
    'OLD_POSTMAN',
    '',
    'This is a Postman collection v1.',
    'Holdfast reads v2.0 and v2.1. Import it into Postman and export it as v2.1, or convert it with postman-collection-transformer.',
  );
}

function unknown(): ImportResult {
  return refuse(
    'UNKNOWN_KIND',
    '',
    'The format was not recognized.',
    `Holdfast reads ab, wrk, wrk2, hey, oha, autocannon and curl commands, and HAR, OpenAPI 3, Postman, Artillery, JMeter and FunkLoad files. ${EXAMPLE_COMMAND}`,
  );
}
