import { PerMessageDeflate, Receiver } from 'ws';
import { pieces } from '#framer/testing/messages.ts';
import { DEFAULT_MESSAGE_LIMITS } from '../frames.ts';

const maxPayload = DEFAULT_MESSAGE_LIMITS.maxMessageBytes;

/** Reads frames with the receiver of ws and logs them like a `MessageLog`, without error names. */
export async function readWithWs(
  bytes: Buffer,
  cuts: readonly number[],
  isCompressed: boolean,
  { isServer } = { isServer: false },
): Promise<readonly string[]> {
  const reported: string[] = [];
  let isOver = false;
  const receiver = new Receiver({ isServer, allowSynchronousEvents: true, maxPayload, extensions: makeExtensions(isCompressed, isServer) });
  receiver.on('message', (message: Buffer, isBinary: boolean) => {
    reported.push(isBinary ? `binary ${message.toString('latin1')}` : `text ${message.toString()}`);
  });
  receiver.on('ping', (payload: Buffer) => void reported.push(`ping ${payload.toString('latin1')}`));
  receiver.on('pong', (payload: Buffer) => void reported.push(`pong ${payload.toString('latin1')}`));
  receiver.on('conclude', (code: number, reason: Buffer) => {
    isOver = true;
    reported.push(`close ${code} ${reason.toString()}`);
  });
  receiver.on('error', () => {});
  for (const piece of pieces(bytes, cuts)) {
    const error = await new Promise<Error | null>((resolve) => {
      receiver.write(Buffer.from(piece), (failed) => resolve(failed ?? null));
      // The rest of a piece after the end of the connection is not read.
      if (isOver) resolve(null);
    });
    if (isOver) break;
    if (error === null) continue;
    reported.push(`broken ${makeCloseCode(error)}`);
    break;
  }
  receiver.destroy();
  return reported;
}

function makeExtensions(isCompressed: boolean, isServer: boolean): Readonly<Record<string, PerMessageDeflate>> {
  if (!isCompressed) return {};
  const deflate = new PerMessageDeflate({ isServer, maxPayload });
  deflate.accept([{ server_no_context_takeover: [true], client_no_context_takeover: [true] }]);
  return { [PerMessageDeflate.extensionName]: deflate };
}

/** ws stores the close code under a private symbol. */
function makeCloseCode(error: Error): string {
  const symbol = Object.getOwnPropertySymbols(error).find(({ description }) => description === 'status-code');
  return symbol === undefined ? error.message : String(Reflect.get(error, symbol));
}
