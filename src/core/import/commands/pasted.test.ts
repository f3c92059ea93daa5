import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { importText } from '../importText.ts';
import { readImported, listNotes, findRefusal } from '../testing/imported.ts';

const urlOf = ({ targets, journey }: Plan): string => new URL(journey[0]?.path ?? '', targets[0]?.url).href;
/** Returns address and load of a command. */
const stated = (text: string): string => {
  const { plan } = readImported(text);
  const [stage] = plan.load.stages;
  const load = stage !== undefined && 'connections' in stage ? `${stage.connections} × ${stage.requests ?? 0}` : plan.load.model;
  return `${urlOf(plan)} ${load}`;
};
const PROMPT = 'ada@laptop ~ % ';
const PLAIN = 'http://127.0.0.1:8080/ 10 × 100';

/** The command is the same one, as people paste it from a terminal, a wiki, a mail or a word processor. */
describe('a pasted command', () => {
  it.each([
    'ab -n 100 -c 10 http://127.0.0.1:8080/',
    '$ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '# ab -n 100 -c 10 http://127.0.0.1:8080/',
    '% ab -n 100 -c 10 http://127.0.0.1:8080/',
    '> ab -n 100 -c 10 http://127.0.0.1:8080/',
    'ada@laptop:~$ ab -n 100 -c 10 http://127.0.0.1:8080/',
    'ada@laptop ~ % ab -n 100 -c 10 http://127.0.0.1:8080/',
    '[root@web1 ~]# ab -n 100 -c 10 http://127.0.0.1:8080/',
    '(venv) ada@laptop:~/site$ ab -n 100 -c 10 http://127.0.0.1:8080/',
    'bash-5.1$ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '➜  ~ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '➜  site git:(main) ✗ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '❯ ab -n 100 -c 10 http://127.0.0.1:8080/',
    String.raw`C:\Users\Ada> ab.exe -n 100 -c 10 http://127.0.0.1:8080/`,
    String.raw`PS C:\Users\Ada> .\ab.exe -n 100 -c 10 http://127.0.0.1:8080/`,
    String.raw`C:\xampp\apache\bin\ab.exe -n 100 -c 10 http://127.0.0.1:8080/`,
    String.raw`"C:\Program Files\Apache\bin\ab.exe" -n 100 -c 10 http://127.0.0.1:8080/`,
    '!ab -n 100 -c 10 http://127.0.0.1:8080/',
    '* ab -n 100 -c 10 http://127.0.0.1:8080/',
    '1. ab -n 100 -c 10 http://127.0.0.1:8080/',
    '- $ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '`ab -n 100 -c 10 http://127.0.0.1:8080/`',
    '```bash\n$ ab -n 100 -c 10 http://127.0.0.1:8080/\n```',
    '{code:bash}\nab -n 100 -c 10 http://127.0.0.1:8080/\n{code}',
    '{{{\nab -n 100 -c 10 http://127.0.0.1:8080/\n}}}',
    '<pre><code>ab -n 100 -c 10 http://127.0.0.1:8080/</code></pre>',
    '<p>$ ab <b>-n 100</b> -c 10<br>http://127.0.0.1:8080/</p>',
    'ab -n 100 -c 10 &quot;http://127.0.0.1:8080/&quot;',
    'ab&nbsp;-n&nbsp;100&nbsp;-c&nbsp;10&nbsp;http://127.0.0.1:8080/',
    'ab –n 100 –c 10 http://127.0.0.1:8080/',
    'ab —n 100 −c 10 “http://127.0.0.1:8080/”',
    'ab -n 100 -c 10 ‘http://127.0.0.1:8080/’',
    'ab\u00a0-n\u2009100 -c\u202f10 \u200bhttp://127.0.0.1:8080/',
    'ab -n 100 \\\n  -c 10 \\\n  http://127.0.0.1:8080/',
    'ab -n 100 \\  \n  -c 10 \\\t\n  http://127.0.0.1:8080/',
    'ab -n 100 \\\r\n  -c 10 \\\r\n  http://127.0.0.1:8080/\r\n',
    'ab -n 100\n-c 10\nhttp://127.0.0.1:8080/',
    'ab -n 100 \\\n\n-c 10 \\\n\nhttp://127.0.0.1:8080/',
    'sudo -u www-data ab -n 100 -c 10 http://127.0.0.1:8080/',
    'ulimit -n 10000; ab -n 100 -c 10 http://127.0.0.1:8080/',
    'time -p ab -n 100 -c 10 http://127.0.0.1:8080/ | tee ab.log',
    'LANG=C nohup ab -n 100 -c 10 http://127.0.0.1:8080/ > ab.log 2>&1 &',
    'docker run --rm --network host httpd ab -n 100 -c 10 http://127.0.0.1:8080/',
    "bash -c 'ab -n 100 -c 10 http://127.0.0.1:8080/'",
    'ssh web1 "ab -n 100 -c 10 http://127.0.0.1:8080/"',
    'for i in 1 2 3; do ab -n 100 -c 10 http://127.0.0.1:8080/; done',
    'while true; do\n  ab -n 100 -c 10 http://127.0.0.1:8080/\ndone',
    'cd /tmp && ab -n 100 -c 10 http://127.0.0.1:8080/',
    'cd /tmp\ntime ab -n 100 -c 10 http://127.0.0.1:8080/',
    'URL=http://127.0.0.1:8080/\nab -n 100 -c 10 $URL',
    'HOST=127.0.0.1 ; PORT=8080\nab -n 100 -c 10 "http://$HOST:${PORT}/"',
    'export OPTS="-n 100 -c 10"\nab $OPTS http://127.0.0.1:8080/',
    'ab -n 100 -c 10 127.0.0.1:8080/',
    'AB -n 100 -c 10 http://127.0.0.1:8080/',
    'docker run --rm jordi/ab ab -n 100 -c 10 http://127.0.0.1:8080/',
    'docker run --rm --name ab jordi/ab -n 100 -c 10 http://127.0.0.1:8080/',
    'sudo docker exec web sh -c "ab -n 100 -c 10 http://127.0.0.1:8080/"',
    'ab -n ${1:-100} -c ${CONNECTIONS:-10} http://127.0.0.1:${PORT:-8080}/',
    '(sleep 5 && ab -n 100 -c 10 http://127.0.0.1:8080/) &',
    '{ ab -n 100 -c 10 http://127.0.0.1:8080/; }',
    '- run: ab -n 100 -c 10 http://127.0.0.1:8080/',
    'steps:\n  - name: load\n    cmd: "ab -n 100 -c 10 http://127.0.0.1:8080/"\n',
    'command: ["ab", "-n", "100", "-c", "10", "http://127.0.0.1:8080/"]',
    'CMD ["sh", "-c", "ab -n 100 -c 10 http://127.0.0.1:8080/"]',
    'RUN ab -n 100 -c 10 http://127.0.0.1:8080/',
    '"scripts": {\n  "load": "ab -n 100 -c 10 http://127.0.0.1:8080/",\n}',
    'MacBook-Pro:~ ada$ ab -n 100 -c 10 http://127.0.0.1:8080/',
    '| tool | command |\n|---|---|\n| ab | `ab -n 100 -c 10 http://127.0.0.1:8080/` |',
    'We ran `ab -n 100 -c 10 http://127.0.0.1:8080/` and it was slow.',
    'We ran ab -n 100 -c 10 http://127.0.0.1:8080/ and it was slow.',
    'It began with “ab -n 100 -c 10 http://127.0.0.1:8080/”.',
    'First try: ab -n 100 -c 10 http://127.0.0.1:8080/',
    '"ab -n 100 -c 10 http://127.0.0.1:8080/"',
    '**ab -n 100 -c 10 http://127.0.0.1:8080/**',
    '// ab -n 100 -c 10 http://127.0.0.1:8080/',
    'REM ab -n 100 -c 10 http://127.0.0.1:8080/',
    '/* ab -n 100 -c 10 http://127.0.0.1:8080/ */',
    '/**\n * ab -n 100 -c 10 http://127.0.0.1:8080/\n */',
    '<!-- ab -n 100 -c 10 http://127.0.0.1:8080/ -->',
    '<!--\nab -n 100 -c 10 http://127.0.0.1:8080/\n-->',
    'ab -n 100 -c 10 [http://127.0.0.1:8080/](http://127.0.0.1:8080/)',
    'ab -n 100 -c 10 <http://127.0.0.1:8080/>',
    'ab -n 100 -c 10 http://127.0.0.1:8080/This is ApacheBench, Version 2.3 <$Revision: 1903618 $>',
    'ab -n 100 -c 10 http://127.0.0.1:8080/ab -n 200 -c 20 http://127.0.0.1:9090/',
    'ab -n 100 -c 10 http://127.0.0.1:8080/\nThen we looked at http://127.0.0.1:9090/ and saw nothing.',
    "# don't run this on Fridays\nab -n 100 -c 10 http://127.0.0.1:8080/",
    `ab -n 100 \\${' '.repeat(500)}\n  -c 10 http://127.0.0.1:8080/`,
    '# a hundred requests\nab -n 100 -c 10 http://127.0.0.1:8080/',
    'ab -n 100 -c 10 http://127.0.0.1:8080/ # and look at p95',
  ])('is read without the text around it: %j', (text) => {
    expect(readImported(text).kind).toBe('ab');
    expect(stated(text)).toBe(PLAIN);
  });

  it('is read without its output', () => {
    const text = `$ ab -n 100 -c 10 http://127.0.0.1:8080/
This is ApacheBench, Version 2.3 <$Revision: 1903618 $>
Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/

Benchmarking 127.0.0.1 (be patient).....done

Server Software:        nginx
Requests per second:    4411.12 [#/sec] (mean)
$ `;
    expect(stated(text)).toBe(PLAIN);
    expect(listNotes(readImported(text))).toEqual(['leftOut This is ApacheBench, Version 2.3 <$Revis']);
  });

  it('is read without the output of wrk', () => {
    const { plan } = readImported(
      'wrk –t2 –c40 –d5s ––latency http://127.0.0.1:8080/\nRunning 5s test @ http://127.0.0.1:8080/\n  2 threads and 40 connections\n',
    );
    expect(plan.load).toMatchObject({ stages: [{ connections: 40, seconds: 5 }] });
  });

  it('is read if its long options have typographic dashes, and keeps typographic quotes within its body', () => {
    const text = 'curl –header “Accept: text/html” –data ‘{"say":"“hello”"}’ -H “Content-Type: application/json” http://127.0.0.1:8080/say';
    const { plan } = readImported(text);
    expect(plan.journey[0]).toMatchObject({ method: 'POST', json: { say: '“hello”' } });
    expect(plan.targets[0]?.headers).toMatchObject({ Accept: 'text/html' });
  });

  it.each([
    ['curl "http://127.0.0.1/?a=1&amp;b=2"', 'http://127.0.0.1/?a=1&b=2'],
    ['curl http://127.0.0.1/?a=1&amp;b=2', 'http://127.0.0.1/?a=1&b=2'],
    ['curl &#39;http://127.0.0.1/?a=1&amp;b=2&#39;', 'http://127.0.0.1/?a=1&b=2'],
    ['<http://127.0.0.1/x>', 'http://127.0.0.1/x'],
  ])('is decoded if it is encoded for HTML: %s', (text, url) => {
    expect(urlOf(readImported(text).plan)).toBe(url);
  });

  it.each([`curl -d 'a &amp; b' http://127.0.0.1/`, `curl -d '<p>&nbsp;</p>' http://127.0.0.1/`, `curl -d '“a” – ‘b’' http://127.0.0.1/`])(
    'keeps its body unchanged: %s',
    (text) => {
      expect(readImported(text).plan.journey[0]?.body).toBe(/'(.*)'/.exec(text)?.[1]);
    },
  );

  const LINES = ['{', '> curl -V', '- ab is a tool', '}}}', '$ wrk'];
  const FENCED = [...LINES, '```', ''].join('\n');
  it.each([
    [`$ curl -d '${FENCED}' http://127.0.0.1/`, FENCED],
    [`\`\`\`bash\n$ curl -d $'${FENCED}' http://127.0.0.1/\n\`\`\``, FENCED],
    [`$ curl http://127.0.0.1/ \\\n  -H "Accept: */*" \\\n  --data-raw "${LINES.join('\n')}"`, LINES.join('\n')],
  ])('keeps the lines of its body unchanged: %j', (text, body) => {
    expect(readImported(text).plan.journey[0]?.body).toBe(body);
  });

  it('is read without its comment, even if the comment contains an apostrophe', () => {
    const text = [`${PROMPT}ab -n 100 -c 10 http://127.0.0.1:8080/ # it's slow`, `${PROMPT}ab -n 200 http://127.0.0.1:8080/ # isn't it`];
    expect(stated(text.join('\n'))).toBe(PLAIN);
    expect(listNotes(readImported(text.join('\n')))).toEqual(['leftOut further commands']);
  });

  it('asks for a secret variable instead of importing its value', () => {
    const { plan, written } = readImported('TOKEN=hush-hush\ncurl -H "Authorization: Bearer $TOKEN" http://127.0.0.1/');
    expect(JSON.stringify(written)).not.toContain('hush');
    expect(plan.variables).toMatchObject({ TOKEN: { secret: 'ask:TOKEN' } });
  });

  it('limits the expansion of variables that contain each other', () => {
    const chain = Array.from({ length: 30 }, (_, index) => `V${index + 1}="$V${index} $V${index}"`).join('\n');
    expect(['imported', 'refused']).toContain(importText(`V0=xxxxxxxxxx\n${chain}\ncurl "http://127.0.0.1/$V30"`).kind);
  });
});

describe('several pasted lines', () => {
  it('are reported if the plan uses only one load command', () => {
    const text = 'ab -n 100 -c 10 http://127.0.0.1:8080/\nab -n 200 -c 20 http://127.0.0.1:8080/';
    expect(stated(text)).toBe(PLAIN);
    expect(listNotes(readImported(text))).toEqual(['leftOut further commands']);
  });

  it('are reported if they contain loops or other programs', () => {
    expect(listNotes(readImported('for i in 1 2; do ab -n 1 http://a.example/; done')).toSorted()).toEqual(['changed for']);
    expect(listNotes(readImported('$ cd /tmp\n$ ab -n 1 http://a.example/'))).toEqual(['leftOut cd']);
  });
});

describe('shell syntax in a pasted command:', () => {
  it.each([
    ['http://192.168.1.$1:6666/', '$argument_1'],
    ['http://10.0.0.`id -u`/', '$output_of_id'],
    ['http://10.0.0.$(id -u)/', '$output_of_id'],
    ['http://127.0.0.1:$((8000 + 80))/', '$output_of_command'],
    ['http://a.example:${PORT}/', '$PORT'],
    ['http://${HOST%%.*}.example/', '$HOST'],
    ['http://$?.example/', '$argument'],
    ['$SCHEME://a.example/', '$SCHEME'],
    ['-c $CONNECTIONS http://a.example/', '-c $CONNECTIONS'],
    ['-n $(nproc) http://a.example/', '-n $output_of_nproc'],
    ['-p $FILE http://a.example/', '$FILE'],
    ['$OPTIONS http://a.example/', '$OPTIONS'],
  ])('a variable is refused in a server, number or file: ab %s', (words, location) => {
    expect(findRefusal(`ab ${words}`)).toContain(`COMMAND_UNREADABLE ${location}`);
  });

  it.each([
    ['curl "http://a.example/$1/x?y=$(date)"', '/{{argument_1}}/x?y={{output_of_date}}', ['argument_1', 'output_of_date']],
    ['curl -u "$ME:$PW" http://a.example/', '', ['ME', 'PW']],
  ])('a variable becomes a variable of the plan where plans can insert a value: %s', (text, path, names) => {
    const { plan } = readImported(text);
    expect(plan.journey[0]?.path).toBe(path);
    expect(Object.keys(plan.variables ?? {})).toEqual(names);
  });

  it.each([
    ['ab http://192.168.1.{1,2}/', 'http://192.168.1.2/'],
    ['wrk http://192.168.1.{1..3}/', 'http://192.168.1.2/'],
    ['ab http://{host}/', 'http://{host}/'],
    ['curl http://{{host}}/a', 'http://{{host}}/a'],
    ['curl -g http://192.168.1.$x{1}/', '$x'],
  ])('a variable or braces in the name of a server are refused: %s', (text, location) => {
    expect(findRefusal(text)).toContain(`COMMAND_UNREADABLE ${location}`);
  });

  it('brackets of a subshell are not added to an address', () => {
    const { plan } = readImported('(sleep 5 && wrk -t2 -c10 -d5s http://127.0.0.1:8080/x.json) &');
    expect(urlOf(plan)).toBe('http://127.0.0.1:8080/x.json');
    expect(plan.load).toMatchObject({ stages: [{ connections: 10, seconds: 5 }] });
  });

  it('a variable is reported by its name, without internal marks', () => {
    const texts = [
      'ab -n $N http://a.example/',
      'curl -H "$N: x" http://$HOST/',
      'curl -$X --$Y "$Z" http://a.example/ -F "$A=b;c"',
      'curl -m $T -b $JAR http://a.example/',
    ];
    for (const text of texts) expect(JSON.stringify(importText(text)), text).not.toMatch(/[\ue000\ue001]|%EE%80%8/);
  });
});

describe('a load command in a text', () => {
  it('takes precedence over curl commands, which are reported', () => {
    const imported = readImported('curl -d user=1 http://127.0.0.1:8080/login\nab -n 100 -c 10 http://127.0.0.1:8080/');
    expect(imported.kind).toBe('ab');
    expect(listNotes(imported)).toEqual(['leftOut further commands']);
  });

  it('is not searched for in an OpenAPI document that mentions one', () => {
    const text =
      'openapi: 3.0.0\ninfo:\n  description: |\n    curl -X GET http://b.example/\nservers: [{url: http://a.example}]\npaths: {/a: {get: {}}}';
    expect(readImported(text).kind).toBe('openapi');
  });
});

describe('an unreadable text', () => {
  it.each([
    ['ab -n 100 -c 10 http://<your-server>/', 'COMMAND_UNREADABLE'],
    ['ab -n 100 -c 10 http://$SERVER/', 'COMMAND_UNREADABLE'],
    ['ab -n 10,000 -c 10 http://127.0.0.1/', 'COMMAND_UNREADABLE'],
    ['slowhttptest -c 10 -u http://127.0.0.1/', 'UNKNOWN_KIND'],
    ['Run ab against the server, please.', 'UNKNOWN_KIND'],
    ['<html><body>Hello</body></html>', 'NO'],
    ['[section]\nkey = value\nurl = http://a.example/', 'UNKNOWN_KIND'],
    ['callback({"a": 1});', 'UNKNOWN_KIND'],
    ['Dear all: this is {not} a plan, http://a.example/: yes\n and: more', 'UNKNOWN_KIND'],
    ['{"id":"1","order":[],"requests":[{"id":"2","url":"http://a.example/","method":"GET"}]}', 'OLD_POSTMAN'],
  ])('is refused with a reason: %s', (text, reason) => {
    expect(findRefusal(text).join()).toContain(reason);
  });
});
