// Runs the hostile server in a separate process, so that the server takes no time from the threads that it attacks.
import { z } from 'zod';
import { hostileCertificate } from './certificates.ts';
import { Draw } from './draw.ts';
import { HostileServer } from './hostileServer.ts';

const { seed } = z.object({ seed: z.coerce.number() }).parse({ seed: process.argv[2] });
const server = new HostileServer(new Draw(seed));
const [http, https, redis] = [await server.http(), await server.https(await hostileCertificate()), await server.redis()];
process.on('message', () => process.send?.({ type: 'counts', counts: server.counts }));
process.on('disconnect', () => server.close());
process.send?.({ type: 'ready', ports: { http, https, redis } });
