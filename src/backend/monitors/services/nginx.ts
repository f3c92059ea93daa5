import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { NGINX_CATALOGUE, parseNginx } from '#core/machines/monitors/services/nginx.ts';
import type { OpenMonitor } from '../source.ts';
import { askPage } from './askHttp.ts';
import { notSuch } from './problems.ts';
import { asked } from './asked.ts';

const HINT = 'Switch it on with `location = /status { stub_status; allow 127.0.0.1; deny all; }` and enter that address.';

/** Reads the stub_status page of nginx. Each reading is a connection and a request that nginx counts. */
export const openNginx: OpenMonitor<MonitorOf<'nginx'>> = ({ url, limit }, way) =>
  asked(NGINX_CATALOGUE, async () => {
    const address = new URL(url);
    const reading = parseNginx(await askPage({ what: 'nginx', url: address, way }), limit);
    if (reading === null) throw notSuch('the page of stub_status', url, HINT);
    return reading;
  });
