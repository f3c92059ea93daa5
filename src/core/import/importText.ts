import { DOCUMENT_TOO_DEEP_MESSAGE, tooLongIssue } from '../plan/readYaml.ts';
import { EMPTY_DOCUMENT_MESSAGE } from '../plan/migrate.ts';
import { type ChosenParts, type ChoiceKind, type ImportResult, refuse } from './imported.ts';
import { type Importer, readImporter, IMPORTERS } from './importers.ts';
import { importJmeter } from './jmeter/importJmeter.ts';
import { EXAMPLE_COMMAND } from './notes.ts';
import { refusalOfDocument, refusalOfScript } from './otherTools.ts';
import { Source } from './source.ts';

export interface ImportOptions {
  /** Id of an importer. If null or omitted, the format is detected from the text. */
  readonly kind?: string | null;
  /** The chosen parts. If null or omitted, each importer makes its default choice. */
  readonly chosen?: ChosenParts | null;
}

/** Maximum length of a text: a recording of a busy hour has tens of megabytes. */
const MAX_TEXT_LENGTH = 100_000_000;

/**
 * Makes a plan from a command line, an address or a document of another tool. Never throws because of the content. Executes nothing from
 * it, and opens no file or connection that the content names.
 */
export function importText(pasted: string, { kind = null, chosen = null }: ImportOptions = {}): ImportResult {
  return readText(pasted, kind)(chosen);
}

/**
 * Makes a plan from the chosen parts of a text; null means the importer’s default choice. Refuses kinds of parts that a text of its format
 * cannot have.
 */
export type ImportPlan = (chosen: ChosenParts | null) => ImportResult;

/** Parses a text once for several calls with different choices. In other respects, it works like {@link importText}. */
export function readText(pasted: string, kind: string | null = null): ImportPlan {
  if (pasted.length > MAX_TEXT_LENGTH)
    return () => ({ kind: 'refused', issues: [tooLongIssue('TOO_LONG', pasted, MAX_TEXT_LENGTH)], notes: [] });
  let make: ImportPlan | undefined;
  return (chosen) => {
    try {
      make ??= preparePlan(new Source(pasted), kind);
      return make(chosen);
    } catch (thrown) {
      // Deep nesting overflows the call stack, which throws a RangeError.
      if (!(thrown instanceof RangeError)) throw thrown;
      return refuse('TOO_DEEP', '', DOCUMENT_TOO_DEEP_MESSAGE, 'Probably no tool wrote it.');
    }
  };
}

/** Returns the importer that reads a text; null if none does. */
export function findImporter(pasted: string): Importer | null {
  try {
    const source = new Source(pasted.slice(0, MAX_TEXT_LENGTH));
    return IMPORTERS.find(({ recognizes }) => recognizes(source)) ?? null;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

function preparePlan(source: Source, kind: string | null): ImportPlan {
  if (source.trimmed === '') return () => refuse('EMPTY', '', EMPTY_DOCUMENT_MESSAGE, EXAMPLE_COMMAND);
  if (source.trimmed.startsWith('PK\u0003\u0004'))
    return () =>
      refuse('ARCHIVE', '', 'This is a ZIP archive.', 'Unpack it, and import the files in it: holdfast import bruno FOLDER/*.bru');
  const named = kind === null ? undefined : readImporter(kind);
  if (named !== undefined) {
    if (named.recognizes(source)) return createReader(named, source);
    return () => (named.syntax === undefined ? null : source.problemAs(named.syntax)) ?? refuseOtherKind(named);
  }
  const importer = IMPORTERS.find(({ recognizes }) => recognizes(source));
  const refusal = importer === undefined || importer.isInText === true ? refusalOfScript(source) : null;
  if (refusal !== null) return () => refusal;
  return importer === undefined ? () => refuseUnrecognized(source) : createReader(importer, source);
}

function createReader(importer: Importer, source: Source): ImportPlan {
  return (chosen) => {
    if (chosen !== null && chosen.kind !== importer.chooses) {
      // If even the whole text makes no plan, the reason for that is returned.
      const whole = importer.read(source, null);
      return whole.kind === 'refused' ? whole : refuseOtherParts(chosen.kind);
    }
    return importer.read(source, chosen?.ids ?? null);
  };
}

function refuseOtherParts(kind: ChoiceKind): ImportResult {
  const parts = kind === 'environment' ? 'environments' : kind;
  const documents = IMPORTERS.filter(({ chooses }) => chooses === kind).map(({ title }) => title);
  const only = documents.length === 1 ? `Only ${documents[0] ?? ''} has ${parts}` : `Only these have ${parts}: ${joinNames(documents)}`;
  return refuse('OTHER_PARTS', '', `${only}; this is something else.`, `Remove the choice of ${parts}.`);
}

function refuseOtherKind({ title }: Importer): ImportResult {
  return refuse('OTHER_KIND', '', `This is not ${title}.`, 'holdfast import auto detects the format.');
}

/** Matches a top-level member of a supported document. */
const KNOWN_MEMBER_PATTERN = /["']?\b(?:openapi|swagger|holdfast\w*|config|scenarios|log|info|item|collection)["']?\s*:/;

/** Returns why no importer recognized the text. For prose, configuration files or source code, YAML errors would not help. */
function refuseUnrecognized(source: Source): ImportResult {
  if (source.isXml) return source.problemAs('xml') ?? refusalOfDocument(source) ?? importJmeter(source.xml);
  const isDocument = /[{[:]/.test(source.trimmed) && KNOWN_MEMBER_PATTERN.test(source.text);
  return (isDocument ? source.problemAs('document') : null) ?? refusalOfDocument(source) ?? unknown();
}

function unknown(): ImportResult {
  const formatNames = (isInText: boolean): string =>
    joinNames(
      IMPORTERS.filter((importer) => (importer.isInText === true) === isInText && importer.id !== 'address').map(({ name }) => name),
    );
  return refuse(
    'UNKNOWN_KIND',
    '',
    'The format was not recognized.',
    `Holdfast reads ${formatNames(true)} commands, and ${formatNames(false)} files. ${EXAMPLE_COMMAND}`,
  );
}

function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names.toSorted((one, other) => one.localeCompare(other, 'en')));
}
