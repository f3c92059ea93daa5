import { Exchange, type Sender } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';
import { SideSender } from './sideSender.ts';
import type { StreamOwner } from './streamExchange.ts';
import { StreamSender } from './streamSender.ts';
import { PageLoad } from './pages/pageLoad.ts';

/** What sends the requests of a user: more than one connection only where whole pages are fetched. `carrier`: the connection that others share with them. */
export function senderFor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null = load.newCarrier()): Sender {
  const own = (): Sender => (load.fetchesPages ? new PageLoad(load, owner, carrier) : new Exchange(load, owner, 'measured', carrier));
  const sender = load.holdsStreams ? new StreamSender(load, owner, own, carrier) : own();
  return load.makesSideCalls || load.hasNamedTargets ? new SideSender(load, owner, sender) : sender;
}
