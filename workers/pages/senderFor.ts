import { Exchange, type Sender } from '../drivers/native/exchange.ts';
import type { Http2Carrier } from '../drivers/native/http2/carrier.ts';
import type { NativeLoad } from '../drivers/native/nativeLoad.ts';
import { SideSender } from '../drivers/native/sideSender.ts';
import type { StreamOwner } from '../drivers/native/streamExchange.ts';
import { StreamSender } from '../drivers/native/streamSender.ts';
import { PageLoad } from './pageLoad.ts';

/** What sends the requests of a user: more than one connection only where whole pages are fetched. `carrier`: the connection that others share with them. */
export function senderFor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null = load.newCarrier()): Sender {
  const own = (): Sender => (load.fetchesPages ? new PageLoad(load, owner, carrier) : new Exchange(load, owner, 'measured', carrier));
  const sender = load.holdsStreams ? new StreamSender(load, owner, own, carrier) : own();
  return load.makesSideCalls ? new SideSender(load, owner, sender) : sender;
}
