import { createDraw, type Draw } from '#core/import/testing/mutate.ts';

/** Texts that have a special meaning for curl, for a shell, or for parsers of addresses and forms. */
const TEXTS = [
  'a=1',
  'a=1&b=2',
  'a=x y',
  '=z',
  'solo',
  'a@b=c',
  'a=b@c',
  'q="w";type=x',
  'a="b;c";type=text/css',
  'a=b;type=text/css;charset=x',
  'a=b;c',
  'a= b ',
  'a="b\\"c"',
  '{"a":1}',
  '{ "a": [1, "x"] }',
  '[1,2]',
  'a=%41%zz+',
  'u=ü é',
  'a={{b}}',
  "it's=x",
  'a=$b`c`',
  'a=#x',
  'a=!~*()',
  '',
  ' ',
  'a=',
  'a=\nb',
];
const FILES = ['a.txt', 'b.json', 'my file.pdf', 'p.png'];
const HEADERS = [
  'X-A: b',
  'X-A:b:c',
  'X-A;',
  'X-A:',
  'X-A',
  'X-A; b',
  'Content-Type: text/plain',
  'content-type:',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded; charset=UTF-8',
  'Accept: text/html',
  'Accept:',
  'Cookie: a=1; b=2',
  'Authorization: Own x',
  'User-Agent: own',
  'Referer: r',
  'Host: other.example',
  'Range: bytes=1-2',
  '  X-B :  c  ',
  'Expect:',
];
const PATHS = [
  '',
  '/',
  '/x',
  '/x/',
  '/x?y=z',
  '?q',
  '/a/../b',
  '/a/./b',
  '/a//b',
  '/%2e%2e/c',
  '/a b',
  '/ü',
  '/{a,b}',
  '/[1-3]',
  '/[01-10:4]/{x,y}',
  '/[a-c]',
  '/{}',
  '/[',
  '/x#frag?y',
  "/it's",
  '/?a=1&b=[]',
  '/a;b,c',
  '/a\\b',
  '/"q"',
  '/?x=<y>',
];

/** Returns a random curl command that is determined by the seed, with `HOST` as its server. */
export function generatedCommand(seed: number): string {
  const draw = createDraw(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[draw(items.length)];
    if (item === undefined) throw new Error('There is nothing to draw from.');
    return item;
  };
  const drawText = (): string => quoteForShell(pick(TEXTS), draw);
  const drawFileOrText = (sign: string): string => quoteForShell(draw(4) === 0 ? `${sign}${pick(FILES)}` : pick(TEXTS), draw);
  const options: readonly (() => string)[] = [
    () => `-d ${drawFileOrText('@')}`,
    () => `--data-raw ${drawText()}`,
    () => `--data-binary ${drawFileOrText('@')}`,
    () => `--data-urlencode ${drawFileOrText(pick(['@', 'n@']))}`,
    () => `--json ${drawFileOrText('@')}`,
    () =>
      `-F ${quoteForShell(draw(3) === 0 ? `f=@${pick(FILES)}${pick(['', ';type=image/x', ';filename=n', ';filename="n;m"'])}` : pick(TEXTS), draw)}`,
    () => `--form-string ${drawText()}`,
    () => `-T ${quoteForShell(pick(FILES), draw)}`,
    () => `-H ${quoteForShell(pick(HEADERS), draw)}`,
    () => `-H ${quoteForShell(pick(HEADERS), draw)}`,
    () => `-b ${quoteForShell(pick(['a=1', 'a=1; b=2', 'c="d e"']), draw)}`,
    () => `-u ${pick(['me:pw', 'me:', "'me:p w:x'"])}`,
    () => `-A ${quoteForShell(pick(['own', '', 'o w n']), draw)}`,
    () => `-e ${quoteForShell(pick(['http://r.example/', 'x;auto', '']), draw)}`,
    () => `-r ${pick(['600', '0-9', '-5', '5-', '0-1,4-'])}`,
    () => `--oauth2-bearer tok`,
    () => `-X ${pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])}`,
    () => pick(['-G', '-I', '-g', '--compressed', '-sS', '-v', '-k', '--path-as-is', '--http1.1', '--no-keepalive', '-f']),
    () => `--url-query ${drawFileOrText(pick(['@', 'n@', '+']))}`,
    () => pick(['--connect-timeout 5', '-m 9', '--retry 0', '-o /dev/null', '-w "%{http_code}"', '--tcp-fastopen', '--proto =http']),
  ];
  const section = (): string => {
    const words = Array.from({ length: draw(4) }, () => pick(options)());
    words.splice(draw(words.length + 1), 0, quoteForShell(`http://${draw(8) === 0 ? 'u:p@' : ''}HOST${pick(PATHS)}`, draw, true));
    if (draw(8) === 0) words.push(quoteForShell(`HOST${pick(PATHS)}`, draw, true));
    return words.join(pick([' ', '  ', ' \\\n  ']));
  };
  const command = `curl ${Array.from({ length: draw(6) === 0 ? 2 : 1 }, section).join(' --next ')}`;
  return draw(6) === 0 ? addStandardInput(command, pick) : command;
}

function addStandardInput(command: string, of: <Item>(items: readonly Item[]) => Item): string {
  const stdinCommand = `${command} ${of(['-d', '--data-binary', '--json', '--data-urlencode'])} @-`;
  return of([
    `echo 'a=1 2' | ${stdinCommand}`,
    `printf 'a=1' | ${stdinCommand}`,
    `cat a.txt | ${stdinCommand}`,
    `${stdinCommand} < a.txt`,
    `${stdinCommand} <<< "a=$WORD"`,
    `${stdinCommand} <<EOF\na=$WORD\n  "b\\$c"\nEOF`,
    `${stdinCommand} <<'EOF'\na=$WORD\nEOF`,
    `(${command})`,
    `bash -c ${quoteForShell(command, createDraw(command.length))}`,
  ]);
}

/** Quotes a text as one shell word, in one of several ways at random. */
function quoteForShell(text: string, draw: Draw, isAddress = false): string {
  const way = draw(4);
  if (way === 0 && /^[\w@%+=:,./-]+$/.test(text)) return text;
  if (way === 1) return `"${text.replaceAll(/["\\$`]/g, (letter) => `\\${letter}`)}"`;
  if (way === 2 && !isAddress) return `$'${text.replaceAll(/['\\]/g, (letter) => `\\${letter}`).replaceAll('\n', '\\n')}'`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
