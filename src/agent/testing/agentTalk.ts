import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  AGENT_PROTOCOL,
  lineFromAgentSchema,
  type FromAgent,
  type LineFromAgent,
  type LineToAgent,
  type ToAgent,
} from '#contract/agent/frames.ts';
import { ResumableStream } from '#contract/agent/resumableStream.ts';
import { agentProgram } from '#tools/testing/threads.ts';

/** The controlling side of a conversation with an agent, over the standard input and output of one or several processes. */
export class AgentTalk {
  /** The process of the agent, or of a relay to it. */
  process!: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  private lines!: AsyncIterator<string>;
  private received: FromAgent[] = [];
  private readonly stream = new ResumableStream<ToAgent, FromAgent>((message) => void this.received.push(message));

  constructor(program: string = process.execPath, words: readonly string[] = [agentProgram]) {
    this.begin(program, words);
  }

  /** Connects to the agent behind a socket and resumes the conversation. */
  async resume(door: string): Promise<void> {
    this.begin(process.execPath, [agentProgram, 'resume', door]);
    this.write({ type: 'resume', protocol: AGENT_PROTOCOL, received: this.stream.received });
    const reply = await this.line();
    if (reply.type !== 'resumed') throw new Error(`It answered ${JSON.stringify(reply)}.`);
    for (const numbered of this.stream.resumeAfter(reply.received)) this.write({ type: 'message', ...numbered });
  }

  async greet(silenceSeconds?: number): Promise<LineFromAgent> {
    this.write({ type: 'hello', protocol: AGENT_PROTOCOL, ...(silenceSeconds === undefined ? {} : { silenceSeconds }) });
    return this.line();
  }

  write(line: LineToAgent | Record<string, unknown> | string): void {
    this.process.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  say(message: ToAgent): void {
    this.write({ type: 'message', ...this.stream.enqueue(message) });
  }

  /** Returns the next line, whatever its type. */
  async line(): Promise<LineFromAgent> {
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error('The agent has ended.');
    return lineFromAgentSchema.parse(JSON.parse(value));
  }

  /** Returns all messages up to and including the first one of this type. */
  async hearUntil(type: FromAgent['type']): Promise<FromAgent[]> {
    this.received = [];
    while (this.received.at(-1)?.type !== type) {
      const line = await this.line();
      if (line.type === 'message') {
        this.stream.take(line);
        this.write({ type: 'received', number: line.number });
      } else if (line.type === 'received') this.stream.acknowledge(line.number);
    }
    return this.received;
  }

  /** Cuts the connection. */
  drop(): void {
    this.process.stdin.destroy();
    this.process.stdout.destroy();
  }

  exited(): Promise<unknown[]> {
    return this.process.exitCode === null ? once(this.process, 'exit') : Promise.resolve([this.process.exitCode, null]);
  }

  private begin(program: string, words: readonly string[]): void {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    // An error is ignored, because the process may have ended before a message is written to it.
    child.stdin.on('error', () => {});
    this.process = child;
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }
}
