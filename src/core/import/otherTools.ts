import { isBlock } from '#core/base/json.ts';
import { isHurl } from './collections/httpFile.ts';
import { isOldInsomnia } from './collections/insomnia.ts';
import { type ImportResult, refuse } from './imported.ts';
import { valueAtPath, listAt, textAt } from './reading.ts';
import { TOOLS } from './commands/tools.ts';
import { isEnvironment } from './postman/importPostman.ts';
import { hasMembers, type Source } from './source.ts';

/** A format that Holdfast recognizes but cannot import. */
interface OtherTool {
  /** The name of the format in a sentence: “This is a Locust test.” */
  readonly title: string;
  readonly isOf: (source: Source) => boolean;
  readonly wayOut: string;
}

const RECORD_HINT = 'Record the site instead: holdfast record URL. Or paste its requests as curl commands.';
const SAVE_HAR_HINT =
  'It drives a browser. Save what the browser requests as a HAR file and import that, or record the site: holdfast record URL.';
const COPY_AS_CURL_HINT = 'Copy its requests as cURL and paste them together, or export it as Postman, OpenAPI or HAR.';
const PASTE_COMMAND_HINT = 'To import a command that its comments contain, paste that command alone.';
const IMPORT_SCRIPT_HINT = 'Import the script that it names: holdfast import k6 FILE';

/** Maximum length of the text that is searched, because programs are recognized by their beginning. */
const MAX_CODE_LENGTH = 200_000;

const codeTool = (title: string, sign: RegExp, wayOut: string): OtherTool => ({
  title,
  isOf: ({ trimmed }) => sign.test(trimmed.slice(0, MAX_CODE_LENGTH)),
  wayOut,
});

/** Commands of load generators without an importer. */
const COMMAND_TOOLS: readonly OtherTool[] = ['plow', 'ghz', 'fortio', 'httperf', 'cassowary', 'ali', 'rewrk', 'tcpkali'].map((name) =>
  codeTool(
    `a ${name} command`,
    new RegExp(String.raw`^[ \t]*(?:\$[ \t]+)?${name}[ \t]+(?:load[ \t]+)?(?:-|https?://|:\d)`, 'm'),
    'Paste its request as a curl command, and set the load in the plan.',
  ),
);

/** Tools whose files are programs, recognized by lines that occur in code and not in prose about it. */
const SCRIPT_TOOLS: readonly OtherTool[] = [
  codeTool('a Locust test', /^[ \t]*(?:from|import)[ \t]+locust\b/m, RECORD_HINT),
  codeTool(
    'a Gatling simulation',
    /^[ \t]*import[ \t]+(?:static[ \t]+)?io\.gatling\.|^[ \t]*import\b[^\n]*["']@gatling\.io\/|\bextends[ \t]+Simulation\b/m,
    'Gatling’s recorder converts HAR files: import that HAR file. Without one, record the site: holdfast record URL.',
  ),
  codeTool('a Playwright script', /["']@playwright\/test["']|["']playwright(?:-core)?["']|^[ \t]*from[ \t]+playwright\b/m, SAVE_HAR_HINT),
  codeTool('a Cypress test', /^[ \t]*cy\.(?:visit|request|get|intercept)\(/m, SAVE_HAR_HINT),
  codeTool('a Puppeteer script', /(?:from|require\()[ \t]*["']puppeteer(?:-core)?["']/, SAVE_HAR_HINT),
  codeTool('a Selenium script', /^[ \t]*(?:from|import)[ \t]+(?:org\.openqa\.)?selenium\b|["']selenium-webdriver["']/m, SAVE_HAR_HINT),
  codeTool('an NBomber test', /^[ \t]*(?:using|open)[ \t]+NBomber\b/m, RECORD_HINT),
  codeTool('a Goose test', /^[ \t]*use[ \t]+goose::/m, RECORD_HINT),
  codeTool('a Molotov test', /^[ \t]*(?:from|import)[ \t]+molotov\b/m, RECORD_HINT),
  codeTool('a Grinder script', /^[ \t]*(?:from|import)[ \t]+net\.grinder\b/m, RECORD_HINT),
  codeTool(
    'a JMeter test in Java or Ruby',
    /^[ \t]*import[ \t]+(?:static[ \t]+)?us\.abstracta\.jmeter\b|^require ["']ruby-jmeter["']/m,
    'Save it as a JMX file, and import that: holdfast import jmeter FILE.jmx',
  ),
  codeTool(
    'a Lua script for wrk',
    /^[ \t]*wrk\.(?:method|body|headers|path|format)\b|^[ \t]*(?:request|response|init|setup|delay|done)[ \t]*=[ \t]*function\b|^[ \t]*function[ \t]+(?:request|response|init|setup|delay|done)[ \t]*\(/m,
    'Paste the wrk command, and add to the plan what the script sends: method, body and headers.',
  ),
  codeTool('a Go program that uses vegeta', /github\.com\/tsenart\/vegeta/, RECORD_HINT),
  codeTool('a program that uses autocannon', /(?:from|require\()[ \t]*["']autocannon["']/, RECORD_HINT),
  {
    title: 'a Karate test',
    isOf: ({ trimmed }) => /^Feature:/m.test(trimmed) && /^[ \t]*(?:Given|And|When|\*)[ \t]+(?:url|path|method)\b/m.test(trimmed),
    wayOut: RECORD_HINT,
  },
  {
    title: 'a Hurl file',
    isOf: ({ trimmed }) => isHurl(trimmed),
    wayOut: 'Convert it to curl commands, and import those: hurl --curl requests.sh FILE, then holdfast import curl requests.sh',
  },
  codeTool(
    'a Python program',
    /^[ \t]*(?:import|from)[ \t]+(?:requests|httpx|aiohttp|urllib3?)\b/m,
    `${RECORD_HINT} ${PASTE_COMMAND_HINT}`,
  ),
  codeTool(
    'a file of a Bruno collection without a request',
    /^(?:vars|vars:secret|auth|headers|vars:pre-request) [{[]\s*$/m,
    'Import it with the requests: holdfast import bruno FOLDER/*.bru',
  ),
  { title: 'source code', isOf: ({ trimmed }) => beginsAsCode(trimmed), wayOut: `${RECORD_HINT} ${PASTE_COMMAND_HINT}` },
];

/** Patterns of the first line of a program that is neither blank nor a comment. No shell command line matches them. */
const FIRST_LINES_OF_CODE: readonly RegExp[] = [
  /^(?:from [\w.]+ import |import (?:static )?[\w.*{}=>, ]+;?$|import\b.*\bfrom\s+["']|import\s+["']|import \($|import (?:type )?\{)/,
  /^(?:const|let|var)\s+[\w${}, ]+=\s|^export (?:default|const|function|async)\b|^(?:async )?function \w*\([\w, ]*\) ?\{|^["']use strict["']/,
  /^(?:package|namespace) [\w.]+[;{]?$|^using [\w.]+;|^use \w+::|^require ["']|^<\?php|^def \w+\(.*:$|^class \w+[\w(), .]*[:{]$|^public (?:final )?class/,
  /^wrk\.\w+ *=|^local \w+ *=|^(?:request|response|init|setup|delay|done) *= *function|^function \w+\([\w, ]*\)$/,
];

function beginsAsCode(text: string): boolean {
  const lines = text.slice(0, 20_000).split('\n');
  let isDocumentation: string | null = null;
  for (const line of lines.map((one) => one.trim())) {
    if (isDocumentation !== null) {
      if (line.endsWith(isDocumentation)) isDocumentation = null;
      continue;
    }
    const [opening] = /^(?:[rub]?"""|[rub]?'''|\/\*)/i.exec(line) ?? [];
    if (opening !== undefined) {
      const closing = opening === '/*' ? '*/' : opening.slice(-3);
      if (!line.slice(opening.length).includes(closing)) isDocumentation = closing;
      continue;
    }
    if (line === '' || /^(?:#|\/\/|--)/.test(line)) continue;
    return FIRST_LINES_OF_CODE.some((pattern) => pattern.test(line));
  }
  return false;
}

/** Commands that start another load generator with its own file, and the import command to use instead. */
const STARTER_COMMANDS: readonly (readonly [name: string, pattern: RegExp, wayOut: string])[] = [
  ['k6', /\bk6(?:\.exe)?[ \t]+(?:run|cloud|archive)\b|\bgrafana\/k6\b/, 'holdfast import k6'],
  ['Locust', /\blocust[ \t]+-|\blocustio\/locust\b/, ''],
  ['JMeter', /\bjmeter(?:\.sh|\.bat)?[ \t]+-/, 'holdfast import jmeter'],
  ['Artillery', /\bartillery(?:@\S{1,40})?[ \t]+run\b|\bartilleryio\/artillery\b/, 'holdfast import artillery'],
  ['Newman', /\bnewman[ \t]+run\b/, 'holdfast import postman'],
  ['Gatling', /\bgatling(?:\.sh|\.bat|:test|:execute)\b|\bgatlingRun\b/, ''],
  ['tsung', /\btsung[ \t]+-f\b/, ''],
  ['Taurus', /\bbzt[ \t]+\S/, ''],
  ['drill', /\bdrill[ \t]+--?b/, ''],
  ['FunkLoad', /\bfl-run-bench\b/, 'holdfast import funkload'],
];

/** Matches a file argument of a command that starts a load generator, by its extension. */
const SCRIPT_FILE_PATTERN = /(?:^|[\s"'=<])([\w./~-]{1,200}\.(?:[cm]?[jt]s|py|jmx|ya?ml|json|xml|conf))(?=["'\s]|$)/;

/** Refuses a text that only starts another load generator, even after a curl command: the plan is in that generator’s file. */
function refusalOfStarter(source: Source): ImportResult | null {
  for (const line of source.trimmed.slice(0, 200_000).split('\n')) {
    if (/^\s*(?:#|\/\/|::|rem\b)/i.test(line)) continue;
    const found = STARTER_COMMANDS.find(([, pattern]) => pattern.test(line));
    if (found === undefined) continue;
    const [name, , command] = found;
    const file = SCRIPT_FILE_PATTERN.exec(line)?.[1];
    const hint = command === '' ? RECORD_HINT : `Import what it runs: ${command} ${file ?? 'FILE'}`;
    return refuse('STARTS_ANOTHER_TOOL', '', `This text starts ${name}${file === undefined ? '' : ` with ${file}`}.`, hint);
  }
  return null;
}

const documentTool = (title: string, isOf: OtherTool['isOf'], wayOut: string): OtherTool => ({ title, isOf, wayOut });
const root =
  (name: string): OtherTool['isOf'] =>
  ({ isXml, xml }) =>
    isXml && xml?.name === name;
const members =
  (...names: readonly string[]): OtherTool['isOf'] =>
  (source) =>
    hasMembers(source, ...names);
const hasMember = (value: unknown, name: string): boolean => valueAtPath(value, name) !== undefined;
const CONVERT_TO_OPENAPI_HINT = 'Convert it to OpenAPI, and import that: holdfast import openapi FILE';
const JMETER_RESULTS_HINT = 'Import the JMX file of the test.';
const IMPORT_BOTH_HINT = 'Import both: holdfast import postman COLLECTION.json ENVIRONMENT.json, or paste one below the other.';

/** Tools whose files are documents, recognized by their members or their root element. */
const DOCUMENT_TOOLS: readonly OtherTool[] = [
  documentTool('a Postman environment without its collection', ({ value }) => isEnvironment(value), IMPORT_BOTH_HINT),
  documentTool(
    'an old export of Insomnia',
    ({ value }) => isOldInsomnia(value),
    'Holdfast reads versions 3 to 5. Import it into Insomnia and export it again.',
  ),
  documentTool(
    'a list of Artillery scenarios without a configuration',
    ({ value }) => valueAtPath(value, 'scenarios', 0, 'flow') !== undefined,
    'Add the block config with target and phases to the file, and import it again: holdfast import artillery FILE',
  ),
  documentTool(
    'a collection of Bruno in YAML',
    members('opencollection'),
    'Export it in Bruno as a Postman collection, or import its .bru files: holdfast import bruno FILE.bru …',
  ),
  documentTool(
    'an environment of JetBrains’ HTTP Client',
    ({ value }) => /http-client/.test(textAt(value, '$schema') ?? ''),
    'Import the .http file; Holdfast asks for the values of its variables.',
  ),
  documentTool('an index of sitemaps', root('sitemapindex'), 'Import a sitemap that it names: holdfast import urls SITEMAP.xml'),
  documentTool('a tsung scenario', root('tsung'), RECORD_HINT),
  documentTool('a SoapUI project', root('con:soapui-project'), 'Export its API as OpenAPI, or record the site: holdfast record URL.'),
  documentTool('a file of JMeter results', root('testResults'), JMETER_RESULTS_HINT),
  documentTool('a web test of Visual Studio', root('WebTest'), RECORD_HINT),
  documentTool(
    'a Thunder Client collection',
    ({ value }) =>
      /thunder client/i.test(textAt(value, 'client') ?? textAt(value, 'clientName') ?? '') ||
      // Files that the extension keeps in a folder of the project, thunder-tests.
      hasMember(valueAtPath(value, 0), 'containerId') ||
      hasMember(valueAtPath(value, 0), 'colName') ||
      (textAt(value, 0, '_id') !== null && Array.isArray(valueAtPath(value, 0, 'data'))),
    COPY_AS_CURL_HINT,
  ),
  documentTool('a JetClient collection', ({ value, text }) => isBlock(value) && /jetclient/i.test(text.slice(0, 2_000)), COPY_AS_CURL_HINT),
  documentTool(
    'a Hoppscotch collection',
    ({ value }) =>
      [value, valueAtPath(value, 0)].some(
        (one) => valueAtPath(one, 'folders') !== undefined && valueAtPath(one, 'requests', 0, 'endpoint') !== undefined,
      ),
    COPY_AS_CURL_HINT,
  ),
  documentTool(
    'a Taurus configuration',
    ({ value }) =>
      [valueAtPath(value, 'execution'), valueAtPath(value, 'execution', 0)].some(
        (one) => isBlock(one) && (hasMember(one, 'scenario') || hasMember(one, 'executor') || hasMember(one, 'concurrency')),
      ),
    'Import the script that its scenario names: holdfast import jmeter FILE.jmx, or another format.',
  ),
  documentTool(
    'a drill benchmark',
    ({ value }) =>
      (hasMember(value, 'plan') && (hasMember(value, 'base') || valueAtPath(value, 'plan', 0, 'request') !== undefined)) ||
      textAt(value, 0, 'request', 'url') !== null,
    RECORD_HINT,
  ),
  documentTool(
    'a Yandex.Tank configuration',
    ({ value }) => (valueAtPath(value, 'phantom') ?? valueAtPath(value, 'pandora')) !== undefined,
    RECORD_HINT,
  ),
  documentTool('a k6 test of Kubernetes', ({ value }) => textAt(value, 'apiVersion')?.startsWith('k6.io/') === true, IMPORT_SCRIPT_HINT),
  documentTool(
    'a set of k6 options',
    ({ value }) => valueAtPath(value, 'stages', 0, 'duration') !== undefined || isBlock(valueAtPath(value, 'thresholds')),
    IMPORT_SCRIPT_HINT,
  ),
  documentTool('a Tavern test', members('test_name', 'stages'), RECORD_HINT),
  documentTool('a Step CI workflow', ({ value }) => isBlock(valueAtPath(value, 'tests')) && textAt(value, 'version') !== null, RECORD_HINT),
  documentTool('a test of ddosify', members('steps', 'load_type'), RECORD_HINT),
  documentTool(
    'a description of a SOAP service (WSDL)',
    ({ isXml, xml }) => isXml && /^(?:\w+:)?(?:definitions|description)$/.test(xml?.name ?? ''),
    'Import it into Postman, export the collection, and import that: holdfast import postman COLLECTION.json',
  ),
  codeTool('a RAML description', /^#%RAML /, CONVERT_TO_OPENAPI_HINT),
  codeTool('an API Blueprint', /^FORMAT:[ \t]*1A/, CONVERT_TO_OPENAPI_HINT),
  codeTool('a table of JMeter results', /^timeStamp,elapsed,label\b/, JMETER_RESULTS_HINT),
  documentTool(
    'a recording of Chrome’s Recorder',
    ({ value }) => listAt(value, 'steps').some((step) => textAt(step, 'type') === 'navigate'),
    SAVE_HAR_HINT,
  ),
  documentTool('a Selenium IDE project', members('tests', 'suites'), SAVE_HAR_HINT),
  documentTool(
    'an AsyncAPI description',
    members('asyncapi'),
    'It describes messages, not HTTP requests. Import an OpenAPI description of the server.',
  ),
];

/** Lists, settings and logs that lack what a plan needs. */
const LIST_TOOLS: readonly OtherTool[] = [
  {
    title: 'a list of paths without a server',
    isOf: ({ trimmed }) => /^(?:\/\S*(?:[ \t]+#.*)?\r?\n)+\/\S*$/.test(trimmed.slice(0, MAX_CODE_LENGTH)),
    wayOut: 'Write the server before each path, http://localhost:8080/about, and import it again.',
  },
  codeTool(
    'a file of curl’s options (-K)',
    /^(?:[ \t]*(?:#[^\n]*|next|-{0,2}[a-z][\w-]*[ \t]*[=: ][^\n]*)?\r?\n)*[ \t]*(?:--)?url[ \t]*[=:][ \t]*["']?https?:\/\//,
    'Paste its requests as curl commands.',
  ),
  codeTool(
    'a settings file of siege (.siegerc)',
    /^(?:show-logfile|concurrent|internet|benchmark)[ \t]*=[ \t]*\w+/m,
    'Paste the siege command.',
  ),
  codeTool(
    'ammunition of Yandex.Tank',
    /^\[Host:[ \t]*\S+\]/im,
    'Write the addresses into a file, one a line, and import that: holdfast import urls FILE',
  ),
  codeTool(
    'an access log',
    /^\S+ \S+ \S+ \[[^\]\n]{1,60}\] "(?:GET|POST|HEAD|PUT|DELETE|PATCH|OPTIONS) \S+ HTTP\/[\d.]+" \d{3}/m,
    'Write the addresses of typical requests into a file, one a line, and import that: holdfast import urls FILE',
  ),
];

const OUTPUT_TOOLS: readonly OtherTool[] = [
  codeTool(
    'the output of a load generator',
    /^This is ApacheBench, Version|^Running \d+\w* test @ |^Summary:\s+Total:|^\s*http_req_duration\.+:|^Transactions:\s+\d+ hits|^Bombarding https?:|^finished in [\d.]+m?s, [\d.]+ req\/s|^Requests\s+\[total, rate/m,
    'Paste the command that printed it.',
  ),
];

/** Returns why a program, or a command that starts one, cannot be imported; null for texts that importers should check. */
export function refusalOfScript(source: Source): ImportResult | null {
  if (source.isXml || source.isDocument) return null;
  const isLoad = source.commands.some(({ tool }) => TOOLS[tool].sendsOnce !== true);
  // A page may name several tools. If it contains a readable command outside the comments of a program, the command is imported.
  if (isLoad && !beginsAsCode(source.trimmed)) return null;
  return findRefusal(SCRIPT_TOOLS, source) ?? refusalOfStarter(source) ?? findRefusal(COMMAND_TOOLS, source);
}

/** Returns why a document that no importer recognizes cannot be imported; null for unknown documents. */
export function refusalOfDocument(source: Source): ImportResult | null {
  if (hasMembers(source, 'holdfast') || hasMembers(source, 'holdfastPreset'))
    return refuse('ALREADY_A_PLAN', '', 'This is already a Holdfast plan.', 'Run it: holdfast run FILE');
  if (isOldPostman(source.value))
    return refuse(
      'OLD_POSTMAN',
      '',
      'This is a Postman collection v1.',
      'Holdfast reads v2.0 and v2.1. Import it into Postman and export it as v2.1, or convert it with postman-collection-transformer.',
    );
  return findRefusal(DOCUMENT_TOOLS, source) ?? findRefusal(OUTPUT_TOOLS, source) ?? findRefusal(LIST_TOOLS, source);
}

function findRefusal(tools: readonly OtherTool[], source: Source): ImportResult | null {
  const found = tools.find(({ isOf }) => isOf(source));
  if (found === undefined) return null;
  return refuse('OTHER_TOOL', '', `This is ${found.title}. Holdfast does not read it.`, found.wayOut);
}

/** Returns whether a document is a Postman collection of version 1, written until 2017. */
function isOldPostman(value: unknown): boolean {
  const hasId = valueAtPath(value, 'order') !== undefined || valueAtPath(value, 'requests', 0, 'collectionId') !== undefined;
  return valueAtPath(value, 'requests', 0, 'url') !== undefined && hasId;
}
