import { isBlock } from '#core/base/json.ts';
import { readAddress } from './address.ts';
import { importArtillery } from './artillery/importArtillery.ts';
import { importAddress, importCommands } from './commands/importCommand.ts';
import { TOOLS } from './commands/tools.ts';
import { importFunkload, isFunkload } from './funkload/importFunkload.ts';
import { importHar } from './har/importHar.ts';
import { urlProblem } from '#core/plan/url.ts';
import { type ChoiceKind, type ImportResult, refuse } from './imported.ts';
import { importAddressList, isAddressList } from './lists/importAddressList.ts';
import { importJmeter } from './jmeter/importJmeter.ts';
import { importK6, isK6 } from './k6/importK6.ts';
import { importOpenApi } from './openapi/importOpenApi.ts';
import { importPostman, isCollection } from './postman/importPostman.ts';
import { importBruno, importBrunoExport, isBruno, isBrunoExport } from './collections/bruno.ts';
import { importHttpFile, isHttpFile } from './collections/httpFile.ts';
import { importInsomnia, isOldInsomnia } from './collections/insomnia.ts';
import { EXAMPLE_ADDRESS } from './notes.ts';
import { NO_ADDRESS_MESSAGE } from './commands/parseOptions.ts';
import { valueAtPath, textAt } from './reading.ts';
import { hasMembers, type Source } from './source.ts';
import { TOOL_NAMES, type ToolName } from './shells/shellText.ts';

/** An importer for one format. */
export interface Importer {
  /** The name of the format on the command line. */
  readonly id: string;
  /** The name of the format in lists. */
  readonly name: string;
  /** The name of the format in a sentence: “This is a HAR file.” */
  readonly title: string;
  /** The syntax of the files; omitted: text that only the importer can parse. */
  readonly syntax?: 'document' | 'xml';
  /** The kind of parts that a user can choose. */
  readonly chooses?: ChoiceKind;
  /** Whether the format may be embedded in other text, such as a program. Importers for programs are tried first. */
  readonly isInText?: true;
  /** Whether several files together make one plan. */
  readonly takesFiles?: true;
  readonly recognizes: (source: Source) => boolean;
  /** Makes the plan. Called only with a recognized source. If `chosen` is null, the importer makes its default choice. */
  readonly read: (source: Source, chosen: readonly string[] | null) => ImportResult;
}

function commandImporter(tool: ToolName): Importer {
  return {
    id: tool,
    name: tool === 'httpie' ? 'HTTPie' : tool,
    title: TOOLS[tool].title,
    isInText: true,
    recognizes: ({ commands: [first] }) => first !== undefined && (first.tool === tool || isWrk(first.tool, tool)),
    read: ({ toolCommands }) => importCommands(toolCommands),
  };
}

/** Returns whether both names mean wrk, because wrk2 installs its program as wrk. */
function isWrk(one: ToolName, other: ToolName): boolean {
  return /^wrk2?$/.test(one) && /^wrk2?$/.test(other);
}

/** Returns the address if the whole text looks like one, possibly in quotes; null for any other text. */
function findAddress({ trimmed }: Source): string | null {
  const only = trimmed.replaceAll(/^(['"<])(.*)(['">])$/g, '$2');
  const looksLikeOne = /^https?:\/\//i.test(only) || /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)|^localhost(:\d+)?([/?#]|$)/i.test(only);
  return !/\s/.test(only) && looksLikeOne && (readAddress(only) ?? urlProblem(only)) !== null ? only : null;
}

function readAddressSource(source: Source): ImportResult {
  const address = findAddress(source) ?? '';
  return readAddress(address) === null
    ? refuse('NO_ADDRESS', '', urlProblem(address) ?? NO_ADDRESS_MESSAGE, EXAMPLE_ADDRESS)
    : importAddress(address);
}

/** All import formats. The first importer that recognizes a text reads it. */
export const IMPORTERS: readonly Importer[] = [
  {
    id: 'jmeter',
    name: 'JMeter',
    title: 'a JMeter plan',
    syntax: 'xml',
    recognizes: ({ isXml, xml }) => isXml && xml?.name === 'jmeterTestPlan',
    read: ({ xml }) => importJmeter(xml),
  },
  {
    id: 'funkload',
    name: 'FunkLoad',
    title: 'a FunkLoad configuration',
    takesFiles: true,
    recognizes: ({ trimmed }) => isFunkload(trimmed),
    read: ({ trimmed }) => importFunkload(trimmed),
  },
  {
    id: 'k6',
    name: 'k6',
    title: 'a k6 script',
    recognizes: (source) => !source.isDocument && isK6(source.trimmed),
    read: ({ trimmed }) => importK6(trimmed),
  },
  {
    id: 'bruno',
    name: 'Bruno',
    title: 'a Bruno collection',
    chooses: 'environment',
    takesFiles: true,
    recognizes: ({ trimmed, isDocument, value }) => (isDocument ? isBrunoExport(value) : isBruno(trimmed)),
    read: ({ trimmed, isDocument, value }, chosen) =>
      isDocument ? importBrunoExport(value, chosen?.[0] ?? null) : importBruno(trimmed, chosen?.[0] ?? null),
  },
  {
    id: 'urls',
    name: 'address list',
    title: 'a list of addresses',
    recognizes: isAddressList,
    read: importAddressList,
  },
  {
    id: 'http',
    name: 'HTTP request (.http, .rest)',
    title: 'a file of HTTP requests (.http)',
    recognizes: ({ trimmed, isDocument }) => !isDocument && isHttpFile(trimmed),
    read: ({ trimmed }) => importHttpFile(trimmed),
  },
  ...TOOL_NAMES.map(commandImporter),
  {
    id: 'address',
    name: 'addresses',
    title: 'an address',
    isInText: true,
    recognizes: (source) => findAddress(source) !== null,
    read: readAddressSource,
  },
  {
    id: 'openapi',
    name: 'OpenAPI',
    title: 'an OpenAPI description',
    syntax: 'document',
    chooses: 'operations',
    recognizes: (source) => hasMembers(source, 'openapi') || hasMembers(source, 'swagger'),
    read: ({ value }, chosen) => importOpenApi(value, chosen),
  },
  {
    id: 'har',
    name: 'HAR',
    title: 'a HAR file (a browser recording)',
    syntax: 'document',
    chooses: 'hosts',
    recognizes: ({ value }) => valueAtPath(value, 'log', 'entries') !== undefined || valueAtPath(value, 'log', 'pages') !== undefined,
    read: ({ value }, chosen) => importHar(value, chosen),
  },
  {
    id: 'postman',
    name: 'Postman',
    title: 'a Postman collection',
    syntax: 'document',
    chooses: 'environment',
    takesFiles: true,
    recognizes: ({ documents }) => documents.some(isCollection),
    read: ({ documents }, chosen) => importPostman(documents, chosen?.[0] ?? null),
  },
  {
    id: 'insomnia',
    name: 'Insomnia',
    title: 'an Insomnia collection',
    syntax: 'document',
    chooses: 'environment',
    recognizes: ({ value }) =>
      (textAt(value, '_type') === 'export' && valueAtPath(value, 'resources') !== undefined && !isOldInsomnia(value)) ||
      textAt(value, 'type')?.startsWith('collection.insomnia.rest/') === true,
    read: ({ value }, chosen) => importInsomnia(value, chosen?.[0] ?? null),
  },
  {
    id: 'artillery',
    name: 'Artillery',
    title: 'an Artillery script',
    syntax: 'document',
    chooses: 'environment',
    recognizes: (source) => hasMembers(source, 'config', 'scenarios') || isBlock(valueAtPath(source.value, 'config')),
    read: ({ value }, chosen) => importArtillery(value, chosen?.[0] ?? null),
  },
];

export function readImporter(id: string): Importer | undefined {
  return IMPORTERS.find((importer) => importer.id === id);
}

export function titleOf(id: string): string {
  return readImporter(id)?.title ?? 'a document';
}
