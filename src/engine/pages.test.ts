import { expect, it } from 'vitest';
import { listAllPages } from '#core/measurement/pageCell.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { buildJob, runLoad } from './testing/runLoad.ts';

it('whole pages: two threads send every resource, and both report the omitted hosts', async () => {
  const links = '<link rel=stylesheet href=/a.css><img src=/b.png><img src=/c.png><img src="http://elsewhere.example/d.png">';
  const server = await httpServer((request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(links);
    else response.end('x');
  });
  try {
    const stages = [{ connections: 4, requests: 40 }];
    const journey = [{ name: 'home', path: '/', resources: {} }];
    const result = await runLoad(buildJob([server.url], { threads: 2, journey, load: { model: 'connections', stages } }));
    expect(result.end).toMatchObject({ reason: 'completed', leftOut: { 'elsewhere.example': 40 } });
    expect([server.requests, result.cell.started, result.cell.outcomes]).toEqual([160, 160, { ok: 160 }]);
    const pages = result.windows.flatMap(({ cells }) => listAllPages(cells)).reduce((sum, cell) => sum + (cell.outcomes.ok ?? 0), 0);
    expect([pages, result.journeys.finished]).toEqual([40, 40]);
  } finally {
    await server.close();
  }
});
