import { numberOption, switchOption } from '#lab/lab.ts';

/** Options of the scoreboard and the chat of the contest. */
export const pushOptions = {
  scoreboard: switchOption({
    label: 'Scoreboard',
    help: 'At /scoreboard/ in a process of its own. It sends each score as an event, like CMS.',
    default: false,
  }),
  'events-per-second': numberOption({
    label: 'Events without solutions',
    help: 'The scoreboard makes so many scores a second itself.',
    default: null,
    min: 0.01,
    max: 10_000,
    whole: false,
    unit: '/s',
    unset: 'none',
  }),
  'kept-events': numberOption({
    label: 'Events kept for those who reconnect',
    help: 'Who missed more is sent the event “reload”. CMS keeps 100.',
    default: 100,
    min: 0,
    max: 100_000,
  }),
  'retry-ms': numberOption({
    label: 'Time until a browser reconnects',
    help: 'Sent as “retry:” at the start of a stream.',
    default: 3_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
  }),
  'ping-seconds': numberOption({
    label: 'Silence until a ping',
    help: 'A comment to each listener, a ping frame in the chat. CMS waits 15 s.',
    default: 15,
    min: 0.1,
    max: 86_400,
    whole: false,
    unit: 's',
  }),
  'stream-seconds': numberOption({
    label: 'Duration of a stream',
    help: 'Then the scoreboard ends it in order. CMS does so after 600 s.',
    default: 600,
    min: 0.1,
    max: 86_400,
    whole: false,
    unit: 's',
  }),
  chat: switchOption({
    label: 'Chat over WebSocket',
    help: 'At /chat in a process of its own. What one member sends, all receive.',
    default: false,
  }),
  'chat-deflate': switchOption({ label: 'Compressed chat', help: 'With permessage-deflate.', default: false }),
} as const;

/** Faults of the scoreboard and of the proxy before it. */
export const pushFaultOptions = {
  'hold-events-ms': numberOption({
    label: 'Events held back',
    help: 'Sent together each so often, as by a proxy that buffers.',
    default: null,
    min: 10,
    max: 600_000,
    unit: 'ms',
    fault: true,
  }),
  'nginx-holds-events': switchOption({
    label: 'nginx holds events back',
    help: 'As it ships: HTTP/1.0 and proxy_buffering, which waits for 4 kB. With nginx in front only.',
    default: false,
    fault: true,
  }),
  'cut-idle-ms': numberOption({
    label: 'Streams cut after silence',
    help: 'Pings count, so this takes effect below the silence until a ping.',
    default: null,
    min: 50,
    max: 3_600_000,
    unit: 'ms',
    fault: true,
  }),
  'cut-all-after-ms': numberOption({
    label: 'All streams cut at once',
    help: 'Counted from the first listener. All of them reconnect.',
    default: null,
    min: 1,
    max: 3_600_000,
    unit: 'ms',
    fault: true,
  }),
  'cut-forgets': switchOption({
    label: 'The cut is a restart',
    help: 'Kept events are lost: who missed one is sent the event “reload”.',
    default: false,
    fault: true,
  }),
  'lose-event-one-in': numberOption({
    label: 'Lost events: one in',
    help: 'Every Nth event of a listener is skipped.',
    default: null,
    min: 1,
    max: 1_000_000,
    fault: true,
  }),
  'double-event-one-in': numberOption({
    label: 'Doubled events: one in',
    help: 'Every Nth event of a listener is sent twice.',
    default: null,
    min: 1,
    max: 1_000_000,
    fault: true,
  }),
} as const;
