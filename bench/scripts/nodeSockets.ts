import type { Reading } from '../subjects/subject.ts';
import { openSockets, type SocketSettings } from './plainSockets.ts';
import { openStreams } from './plainStreams.ts';

// Measures the highest rate that Node's sockets reach. Arguments: url, connections, streams, seconds.

const [url = '', connections = '', streams = '', seconds = ''] = process.argv.slice(2);
const settings: SocketSettings = { url: new URL(url), connections: Number(connections), streams: Number(streams) };

const startedNs = process.hrtime.bigint();
const { counts, sockets } = settings.streams > 0 ? openStreams(settings) : openSockets(settings);
setTimeout(
  () => {
    const reading: Reading = {
      responses: counts.responses,
      seconds: Number(process.hrtime.bigint() - startedNs) / 1e9,
      p50Ms: null,
      p99Ms: null,
      note: counts.others === 0 ? '' : `${counts.others} reads without a status of 2xx`,
    };
    for (const socket of sockets) socket.destroy();
    console.log(JSON.stringify(reading));
  },
  Number(seconds) * 1_000,
);
