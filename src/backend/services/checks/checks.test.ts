import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { planFor } from '#backend/testing/plans.ts';
import { askTarget } from './askTarget.ts';
import { makePlanFacts } from './check.ts';
import { checkOwn } from './checkService.ts';
import { checkPlan, sharedMachine } from './registry.ts';
import { askNobody } from './testing/askNobody.ts';
import { ownShell } from './shell.ts';

describe('checkOwn', () => {
  it('returns each check of a load generator once', async () => {
    const findings = await checkOwn({ role: 'generator', plan: planFor('http://127.0.0.1:1/'), seen: null });
    expect(findings.map(({ id }) => id)).toEqual([
      'openFiles',
      'systemFiles',
      'ephemeralPorts',
      'timeWait',
      'timeWaitReuse',
      'timeWaitRecycle',
      'timeWaitBuckets',
      'finTimeout',
      'connectionTracking',
      'processor',
      'governor',
      'memory',
      'swap',
      'networkLink',
      'packetSize',
      'resolution',
      'proxyVariables',
      'nodeVersion',
    ]);
    expect(findings.find(({ id }) => id === 'nodeVersion')?.title).toBe(`Node.js ${process.versions.node}`);
    if (process.platform === 'linux')
      expect(findings.filter(({ id, level }) => level === 'unknown' && id !== 'networkLink' && id !== 'packetSize')).toEqual([]);
  });

  it('returns the checks of a target too, without a plan', async () => {
    const findings = await checkOwn({ role: 'target', plan: null, seen: null });
    expect(findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['listenQueue', 'synCookies', 'balancing', 'databaseConnections']));
  });
});

describe('checkPlan', () => {
  it('returns each check once', async () => {
    const findings = await checkPlan(
      planFor('http://127.0.0.1:1/'),
      { kind: 'none' },
      { isAgreed: true, askDatabase: askNobody, used: null },
    );
    // Nothing listens at port 1.
    expect(findings.map(({ id, level }) => [id, level])).toEqual([
      ['sharedMachine', 'info'],
      ['targetReachable', 'problem'],
    ]);
  });

  it('does not ask for the protocol of an unreachable target', async () => {
    const findings = await checkPlan(
      planFor('https://127.0.0.1:1/'),
      { kind: 'none' },
      { isAgreed: true, askDatabase: askNobody, used: null },
    );
    expect(findings.map(({ id }) => id)).toEqual(['sharedMachine', 'targetReachable']);
  });

  it('always reports a target on the same machine', () => {
    const facts = makePlanFacts(planFor('http://127.0.0.1:1/'));
    expect(sharedMachine.judge({ shares: true, cores: 2 }, facts)).toMatchObject({ level: 'info', evidence: '127.0.0.1:1' });
    expect(sharedMachine.judge({ shares: false, cores: 2 }, facts).level).toBe('ok');
  });
});

describe('askTarget', () => {
  async function probeClosing(closes: boolean, changes: object = {}) {
    let requests = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        requests += 1;
        const response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
        if (closes) socket.end(response);
        else socket.write(response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      return { response: await askTarget(planFor(`http://127.0.0.1:${port}/`, changes)), requests };
    } finally {
      server.close();
    }
  }

  it('finds with one request which side closes first and how large the response is', async () => {
    expect(await probeClosing(true)).toMatchObject({ requests: 1, response: { closesFirst: 'server', bytes: 40 } });
    expect(await probeClosing(false)).toMatchObject({ requests: 1, response: { closesFirst: 'generator', bytes: 40 } });
  });

  it('returns null without a response, and sends nothing before the user has agreed', async () => {
    expect(await askTarget(planFor('http://127.0.0.1:1/'))).toBeNull();
    expect(await askTarget(planFor('http://192.0.2.1/'))).toBeNull();
  });
});

describe.skipIf(process.platform === 'win32')('ownShell', () => {
  it('runs a script, returns its exit code, and ends it at the time limit', async () => {
    expect(await ownShell.run('sh', { input: 'echo out; echo error >&2; exit 3' })).toEqual({ code: 3, out: 'out\n', error: 'error\n' });
    await expect(ownShell.run('sleep 60', { limitSeconds: 0.1 })).rejects.toMatchObject({ code: 'SHELL_TIMEOUT' });
    await expect(ownShell.run('yes', { limitBytes: 1_000 })).rejects.toMatchObject({ code: 'SHELL_SAYS_TOO_MUCH' });
  });
});
