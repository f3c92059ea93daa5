import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlOptions } from '#core/import/commands/clientOptions.ts';
import { takesValue } from '#core/import/commands/parseOptions.ts';
import { generatedCommand } from './generated.ts';
import { startSideBySide, type SideBySide } from './sideBySide.ts';

let sides: SideBySide;
beforeAll(async () => {
  sides = await startSideBySide();
});
afterAll(() => sides.close());

// These tests run curl itself, because curl decides what its options mean. HOST stands for the address of a server.

/** curl's help lists every option, and whether the option has a value. */
it('the importer knows every option of the installed curl, and whether it has a value', async () => {
  const { stdout } = await promisify(execFile)('curl', ['--help', 'all']);
  const listed = stdout.split('\n').flatMap((line) => {
    const [, short, long, value] = /^\s*(?:(-\S), )?\s*(--\S+)(?: {1}([<[]))?/.exec(line) ?? [];
    return long === undefined ? [] : [{ spellings: short === undefined ? [long] : [short, long], hasValue: value !== undefined }];
  });
  expect(listed.length).toBeGreaterThan(200);
  const wrong = listed.flatMap(({ spellings, hasValue }) =>
    spellings.filter((spelling) => {
      if (/^(-:|--next|-h|--help)$/.test(spelling)) return false;
      const meaning = curlOptions.get(spelling) ?? curlOptions.get(spelling.replace('--no-', '--'));
      return meaning === undefined || takesValue(meaning) !== hasValue;
    }),
  );
  expect(wrong).toEqual([]);
});

describe('a plan from a curl command', () => {
  it.each([
    `curl -F 'a="quoted; value"' http://HOST/`,
    `curl -F 'a="with \\"inner\\" and \\\\ back"' http://HOST/`,
    `curl -F 'a=plain "inner" quotes' http://HOST/`,
    `curl -F 'a= padded ' http://HOST/`,
    `curl -F 'a=b;type=text/plain' -F 'meta={"x":1};type=application/json' http://HOST/`,
    `curl -F 'a="q;z \\"i\\"";type=text/css; charset="a b"' -F 'f=@a.txt' http://HOST/`,
    `curl -F 'a=<-;type=text/x-own' http://HOST/ <<< 'one two'`,
    `curl -F 'f=@p.png' http://HOST/`,
    `curl -F 'f=@a.txt' -F 'g=@b.json' -F 'h=@"my file.pdf"' http://HOST/`,
    `curl -F 'f=@"p.png";type=image/x-own;filename="q;r.png"' http://HOST/`,
    `curl --form-string 'a=@"x";type=y' http://HOST/`,
    `curl -T a.txt http://HOST/`,
    `curl -T a.txt http://HOST`,
    `curl -T 'my file.pdf' http://HOST/folder/`,
    `curl -T a.txt http://HOST/folder/other.txt`,
    `curl -T a.txt 'http://HOST/folder/?x=1'`,
    `curl -T a.txt -H 'Content-Type: text/css' http://HOST/x`,
    `curl -T '{a.txt,b.json}' http://HOST/folder/`,
    `curl -T '{a.txt,b.json}' 'http://HOST/{x,y}/'`,
    `curl -g -T a.txt 'http://HOST/{x}/'`,
    `curl -X POST -T a.txt http://HOST/x`,
    `curl --json '{"a":1}' http://HOST/`,
    `curl --json '{"a":' --json '1}' http://HOST/`,
    `curl --json '{"a":1}' -H 'Accept: text/html' -H 'content-type: application/x+json' http://HOST/`,
    `curl --json @b.json http://HOST/`,
    `curl -G --json '{"a":1}' http://HOST/`,
    `curl -G --json 1 -H 'content-type:' http://HOST/`,
    `curl --url-query 'q=a b&c' --url-query '=x y' --url-query '+raw=%20' --url-query 'solo d' 'http://HOST/?z=1'`,
    `printf 'a b&c' | curl --url-query 'q@-' http://HOST/`,
    `printf 'a b&c' | curl --url-query @- 'http://HOST/?z=1'`,
    `curl --url-query '' http://HOST/x`,
    `curl --url-query '' --url-query a=1 --url-query '' 'http://HOST/x?y'`,
    `curl --url-query '' 'http://HOST/x?y&'`,
    `curl -G -d '' 'http://HOST/x?y'`,
    `curl -G -d '' http://HOST/x`,
    `curl --url-query 'q=1' -G -d 'r=2' http://HOST/`,
    `curl --range 600 http://HOST/`,
    `curl --range 0-99,200- http://HOST/`,
    `curl -r -500 http://HOST/`,
    `curl -H 'X;' -H 'Y: ;' -H 'Z;v' http://HOST/`,
    `curl -H 'X:' -H 'X-A: a:b;c' http://HOST/`,
    `curl -H 'Content-Type:' -d a=1 http://HOST/`,
    `curl -H 'content-type: text/plain' -d a=1 http://HOST/`,
    `curl -H 'User-Agent: own' -A other http://HOST/`,
    `curl -A own -e http://a.example/ http://HOST/`,
    `curl -e 'http://a.example/;auto' http://HOST/`,
    `curl -H 'Referer: x' -e y http://HOST/`,
    `curl -b 'a=1; b=2' http://HOST/`,
    `curl -b a=1 -b b=2 http://HOST/`,
    `curl -b a=1 -H 'Cookie: c=3' http://HOST/`,
    `curl -u me:pw http://HOST/`,
    `curl -u me: http://HOST/`,
    `curl -u me:pw -H 'Authorization: Own x' http://HOST/`,
    `curl http://me:p%40w@HOST/`,
    `curl http://me@HOST/`,
    `curl --oauth2-bearer abc http://HOST/`,
    `curl --compressed http://HOST/`,
    `curl -H 'Accept-Encoding: gzip' --compressed http://HOST/`,
    `curl -d a=1 -d b=2 http://HOST/`,
    `curl -d 'a=1 2&c=ü' http://HOST/`,
    `curl -d a=1 -H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8' http://HOST/`,
    `curl -d '' http://HOST/`,
    `curl -d @a.txt http://HOST/`,
    `curl --data-binary @a.txt -H 'Content-Type: text/plain' http://HOST/`,
    `curl --data-raw @a.txt http://HOST/`,
    `curl --data-urlencode 'a=b c&d~!*()' --data-urlencode '=x=y' --data-urlencode 'p q' http://HOST/`,
    `curl -G -d 'a=1+2' --data-urlencode "b=x y~!*()'" 'http://HOST/?z=1#part'`,
    `curl -G http://HOST/?a`,
    `curl -G -X POST -d a=1 http://HOST/`,
    `curl -G -F a=b http://HOST/`,
    `curl -G --form-string a=b 'http://HOST/[1-2]?x=y'`,
    `curl -I http://HOST/`,
    `curl -G -I -d a=1 http://HOST/`,
    `curl -X DELETE http://HOST/x`,
    `curl -X GET -d a=1 http://HOST/x`,
    `curl -X PATCH --json '[1,2]' http://HOST/x`,
    `curl http://HOST/a http://HOST/b`,
    `curl -d x=1 http://HOST/a --url http://HOST/b`,
    `curl http://HOST/a --next -d b=1 http://HOST/b --next -X DELETE http://HOST/c`,
    `curl 'http://HOST/{a,b}/[1-3]'`,
    `curl 'http://HOST/[a-c]?x=[01-10:4]'`,
    `curl -g 'http://HOST/?x={a,b}&y=[1]'`,
    `curl http://HOST/{a,b}/{1..3}`,
    `curl http://HOST/{a,b}"{c,d}"/{08..10}`,
    `curl http://HOST/{c..a}{,x}`,
    `curl -H {X-A:1,-HX-B:2} http://HOST/{9..1..4}`,
    `curl 'http://HOST/a/./b/../c?d=../e'`,
    `curl "http://HOST/it's?q='x'&a|b"`,
    `curl -d "word=$WORD" "http://HOST/$NUMBER?q=\${WORD}"`,
    `curl -H "X-Word: $WORD and \${NUMBER}" http://HOST/`,
    `curl "http://HOST/\${1:-10000}?a=\${UNSET:-x-y}"`,
    `echo '{"a":1}' | curl -d @- http://HOST/`,
    `echo '{"a":1}' | curl --json @- http://HOST/`,
    `printf '%s' 'a=1' | curl -d @- http://HOST/`,
    `cat a.txt | curl --data-binary @- http://HOST/`,
    `curl -d @- http://HOST/ < a.txt`,
    `curl -d @- http://HOST/ <<< 'a=1 2'`,
    `curl -T - http://HOST/up <<< 'a=1 2'`,
    `curl -d @- http://HOST/ <<EOF\na=$WORD\nb="2"\nEOF`,
    `curl --data-binary @- -H 'Content-Type: text/plain' http://HOST/ <<'EOF'\na=$WORD\n  b="2"\nEOF`,
    `curl -d @- http://HOST/ <<-EOF\n\ta=1\n\tEOF\necho done`,
    `cat <<EOF | curl -H 'Content-Type: text/plain' --data-binary @- http://HOST/\none\ntwo\nEOF`,
    `curl -d $'a=\\x41\\u00fc\\n' http://HOST/`,
    `# don't do this at home\ncurl http://HOST/x`,
    `sh -c "curl -H 'X-A: b c' http://HOST/x"`,
    `bash -c 'curl -d "a=1" http://HOST/x' -- y`,
    `(sleep 0 && curl -d a=1 http://HOST/x.json) & wait`,
    `{ curl http://HOST/x; }`,
    `if true; then curl http://HOST/x; fi`,
    `curl http://HOST/a && curl http://HOST/b || true`,
    `curl -sSfLo /dev/null http://HOST/x`,
    `curl --proto =http --happy-eyeballs-timeout-ms 200 http://HOST/x`,
    `curl --head --max-redirs 3 http://HOST/x`,
    `curl --user-agent "" http://HOST/x`,
    `curl -H "Host: other.example" http://HOST/x`,
    `curl HOST/x`,
    `curl HOST?x=1`,
  ])('sends what curl sends: %s', async (command) => {
    const { curl, plan, result } = await sides.run(command.replaceAll('HOST', sides.host));
    expect(plan, JSON.stringify(result.kind === 'refused' ? result : null)).toEqual(curl);
    expect(curl.length).toBeGreaterThan(0);
  });

  /** Matches notes about things that no server sees. Such a note does not explain a difference between requests. */
  const OF_SOMETHING_ELSE =
    /^(It comes before|curl expands its brackets to \d+ addresses|It retries what fails|The body is read from the file|Only some requests accept|The requests have different)/;

  /** Number of commands that are generated. Set CURL_COMMANDS=100000 for a thorough test. */
  const COMMANDS = Number(process.env['CURL_COMMANDS'] ?? 60);
  const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_140_425);

  it('sends what curl sends, or lists the differences, for any combination of options', { timeout: 20_000 + COMMANDS * 500 }, async () => {
    const wrong: unknown[] = [];
    let same = 0;
    let reportedCount = 0;
    let refused = 0;
    for (let number = 0; number < COMMANDS && wrong.length < 20; number += 1) {
      const command = generatedCommand(SEED + number).replaceAll('HOST', sides.host);
      const { curl, plan, result, code } = await sides.run(command);
      if (result.kind === 'refused') {
        refused += 1;
        // If a command sends several requests, curl's exit code shows only whether the last one succeeded.
        if (code === 0 && curl.length > 0 && !command.includes(' --next ')) wrong.push({ command, refused: result.issues });
        continue;
      }
      const { notes } = result.imported;
      if (isDeepStrictEqual(plan, curl)) same += 1;
      else if (notes.some(({ kind, what }) => (kind === 'leftOut' || kind === 'changed') && !OF_SOMETHING_ELSE.test(what)))
        reportedCount += 1;
      else wrong.push({ number, command, code, curl, plan, notes });
    }
    expect(wrong).toEqual([]);
    expect(same).toBeGreaterThan(COMMANDS * 0.4);
    if (COMMANDS > 1_000)
      console.log(`${COMMANDS} commands: ${same} sent alike, ${reportedCount} told of a difference, ${refused} refused as by curl`);
  });
});
