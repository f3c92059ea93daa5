import { Exchange, type Sender } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';
import { SideSender } from './sideSender.ts';
import type { StreamOwner } from './streamExchange.ts';
import { StreamSender } from './streamSender.ts';
import { PageLoad } from './pages/pageLoad.ts';

/**
 * Returns the sender of a user's requests. It opens several connections only if whole pages are fetched. `carrier`: an HTTP/2 connection shared with other
 * users.
 */
export function senderFor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null = load.newCarrier()): Sender {
  const newRequestSender = (): Sender =>
    load.fetchesPages ? new PageLoad(load, owner, carrier) : new Exchange(load, owner, 'measured', carrier);
  const sender = load.holdsStreams ? new StreamSender(load, owner, newRequestSender, carrier) : newRequestSender();
  return load.makesSideCalls || load.hasNamedTargets ? new SideSender(load, owner, sender) : sender;
}
