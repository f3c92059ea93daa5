import { describe, expect, it } from 'vitest';
import { findRefusal, readImported } from '../testing/imported.ts';
import { importText } from '../importText.ts';

const connections = (open: number, requests: number) => ({ model: 'connections', stages: [{ name: 'load', connections: open, requests }] });
const users = (seconds: number) => ({ model: 'users', stages: [{ name: 'load', users: 1, seconds }] });
const minute = { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 60 }] };
const CURL = 'curl -s -o /dev/null http://a.example/';

describe('loops of a shell', () => {
  it.each([
    [`for i in $(seq 100); do ${CURL}; done`, connections(1, 100)],
    [`for i in \`seq 11 20\`; do ${CURL}; done`, connections(1, 10)],
    [`#!/bin/bash\nfor i in {1..100..2}\ndo\n  ${CURL}\ndone`, connections(1, 50)],
    [`$ time for i in a b c; do ${CURL}; done`, connections(1, 3)],
    [`N=40\nfor i in $(seq 1 $N); do ${CURL}; done`, connections(1, 40)],
    [`for ((i=0; i<1000; i++)); do ${CURL}; done`, connections(1, 1_000)],
    [`for (( i = 1; i <= 10; i += 3 )) {\n${CURL}\n}`, connections(1, 4)],
    [`i=0; while [ $i -lt 500 ]; do ${CURL}; i=$((i+1)); done`, connections(1, 500)],
    [`n=1\nwhile (( n <= 20 )); do\n  ${CURL}\n  ((n++))\ndone`, connections(1, 20)],
    [`for i in {1..900}; do echo "Request $i"; curl -s -o "out-$i.html" http://a.example/ 2>> log-$i.txt; done`, connections(1, 900)],
    [`repeat 30 ${CURL}`, connections(1, 30)],
    [`for i in (seq 70); ${CURL}; end`, connections(1, 70)],
    [`for i in {1..50}; do ${CURL} & done; wait`, connections(50, 50)],
    ['for i in `seq 60`; do (curl -s http://a.example/ >/dev/null &) ; done; wait', connections(60, 60)],
    [`for i in {1..10}; do curl http://a.example/a; curl http://a.example/b; done`, connections(1, 20)],
    [`while true; do ${CURL}; done`, minute],
    [`while :; do ${CURL}; sleep 2; done`, users(60)],
    [`while sleep 0.5; do ${CURL}; done`, users(60)],
    [`for i in {1..30}; do ${CURL}; sleep 1s; done`, users(30)],
    [
      `for i in $(seq 1000); do ${CURL} & sleep 0.01; done`,
      { model: 'arrivals', stages: [{ name: 'load', kind: 'count', arrivals: 1_000, seconds: 10 }] },
    ],
    [`watch -n 5 ${CURL}`, users(60)],
    [
      `timeout 90 bash -c 'while true; do ${CURL}; done'`,
      { model: 'connections', stages: [{ name: 'load', connections: 1, seconds: 90 }] },
    ],
    [`docker exec web sh -c 'for i in $(seq 8); do curl http://a.example/; done'`, connections(1, 8)],
    [`steps:\n  - run: for i in {1..9}; do curl http://a.example/; done`, connections(1, 9)],
    ['1..100 | ForEach-Object { Invoke-WebRequest http://a.example/ }', connections(1, 100)],
    ['1..100 | % -Parallel { Invoke-WebRequest http://a.example/ } -ThrottleLimit 10', connections(10, 100)],
    ['for ($i = 0; $i -lt 25; $i++) { Invoke-WebRequest -Uri http://a.example/ }', connections(1, 25)],
    ['while ($true) { Invoke-WebRequest http://a.example/; Start-Sleep -Milliseconds 500 }', users(60)],
    ['for /L %%i in (1,1,100) do curl http://a.example/', connections(1, 100)],
    [`seq 100 | xargs -P10 -n1 ${CURL}`, connections(10, 100)],
    [`seq 1 200 | xargs -I{} -P 20 ${CURL}`, connections(20, 200)],
    [`printf '%s\\n' {1..500} | xargs -n 1 -P 25 -I{} ${CURL}`, connections(25, 500)],
    [`parallel -j 50 -n0 ${CURL} ::: {1..300}`, connections(50, 300)],
  ])('%s: set the number of requests, the pauses and the concurrency of the plan', (text, load) => {
    const { plan, written } = readImported(text);
    expect(written['load']).toEqual(load);
    // Each round starts curl anew.
    expect(plan.connections.reuse).toBe('never');
  });

  it('become a step for each word of a list, or a variable for numbers that run at the same time', () => {
    const words = readImported('for p in "" about shop; do curl "http://a.example/$p"; done');
    expect(words.plan.journey.map(({ path }) => path)).toEqual(['/', '/about', '/shop']);
    const hosts = readImported('for h in web1 web2; do curl http://$h.example/; done').plan;
    expect([hosts.targets[0]?.url, hosts.namedTargets?.['web2']?.url]).toEqual(['http://web1.example/', 'http://web2.example/']);
    expect(readImported('seq 3 | xargs -I % curl http://a.example/%').plan.journey.map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
    const numbered = readImported('for i in {5..24}; do curl -d "id=$i" http://a.example/ & done').plan;
    expect(numbered.variables).toEqual({ i: { kind: 'number', from: 5, to: 24 } });
  });

  it('pause after the last request of a round', () => {
    const { plan } = readImported('for i in {1..3}; do curl http://a.example/a; curl http://a.example/b; sleep 2; done');
    expect(plan.journey.map(({ thinkTime }) => thinkTime?.kind)).toEqual([undefined, 'fixed']);
  });

  it.each([
    ['while read url; do curl "$url"; done < urls.txt', 'while'],
    ['for u in $(cat urls.txt); do curl $u; done', 'for'],
    ['for i in {1..1000}; do curl http://a.example/$i; done', 'for'],
    ['for i in {1..1000}; do curl -O http://a.example/$i; done', 'for'],
    ['for i in {1..1000}; do curl -d "<a>$i</a>" http://a.example/; done', 'for'],
    ['foreach ($i in 1..10) { Invoke-WebRequest "http://a.example/$i" }', 'foreach'],
    ['for i in 1 2; do for j in 1 2; do curl http://a.example/; done; done', 'for'],
    ['for i in {1..9}; do curl http://a.example/; done & for i in {1..9}; do curl http://a.example/; done', 'for'],
    ['for i in {1..100}; do if [ $((i % 10)) -eq 0 ]; then wait; fi; curl http://a.example/ & done', 'for'],
    ['while true; do curl http://a.example/ & done', 'while'],
    ['hit() { curl http://a.example/; }\nfor i in $(seq 100); do hit; done', 'for'],
    ['curl -c jar http://a.example/login\nfor i in {1..9}; do curl -b jar http://a.example/; done', 'for'],
    ['until curl -sf http://a.example/health; do sleep 1; done', 'until'],
    ['while [ $SECONDS -lt $end ]; do curl http://a.example/; done', 'while'],
    ['seq 20 | xargs curl http://a.example/', 'xargs'],
    ['seq 100 | xargs -P 10 -I % curl http://a.example/%', 'xargs'],
    ['seq 100 | parallel curl http://a.example/', 'parallel'],
  ])('%s: are refused by their keyword if the plan would differ', (text, keyword) => {
    expect(findRefusal(text)).toEqual([`COMMAND_UNREADABLE ${keyword}`]);
    const result = importText(text);
    expect(result.kind === 'refused' && result.issues[0]?.hint).toMatch(/holdfast import urls|ab -n 100/);
  });

  it('that only wait for the server do not change the load', () => {
    const { written } = readImported('until curl -sf http://a.example/health; do sleep 1; done\nab -n 1000 -c 10 http://a.example/');
    expect(written['load']).toEqual(connections(10, 1_000));
  });

  it('around a command with a load are reported', () => {
    const { notes } = readImported('for i in 1 2 3; do hey -n 1000 http://a.example/; sleep 5; done');
    expect(notes.map(({ location, what }) => `${location}: ${what}`)).toContain('for: A loop repeats the command 3 times.');
  });

  it('are read in bounded time from a long text', () => {
    for (const text of [';for '.repeat(20_000), 'for x in y;do '.repeat(7_000), `for${' '.repeat(99_000)}`, 'for ('.repeat(20_000)]) {
      const startedAt = performance.now();
      importText(`curl http://a.example/\n${text}`);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});
