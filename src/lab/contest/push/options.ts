import { numberOption, switchOption } from '#lab/lab.ts';

/** Options of the scoreboard and the chat of the contest. */
export const pushOptions = {
  scoreboard: switchOption('Scoreboard', false, {
    help: 'At /scoreboard/ in a process of its own. It sends each score as an event, like CMS.',
  }),
  'events-per-second': numberOption('Events without solutions', null, [0.01, 10_000], {
    help: 'The scoreboard makes so many scores a second itself.',
    whole: false,
    unit: '/s',
    unset: 'none',
  }),
  'kept-events': numberOption('Events kept for those who reconnect', 100, [0, 100_000], {
    help: 'Who missed more is sent the event “reload”. CMS keeps 100.',
  }),
  'retry-ms': numberOption('Time until a browser reconnects', 3_000, [0, 600_000], {
    help: 'Sent as “retry:” at the start of a stream.',
    unit: 'ms',
  }),
  'ping-seconds': numberOption('Silence until a ping', 15, [0.1, 86_400], {
    help: 'A comment to each listener, a ping frame in the chat. CMS waits 15 s.',
    whole: false,
    unit: 's',
  }),
  'stream-seconds': numberOption('Duration of a stream', 600, [0.1, 86_400], {
    help: 'Then the scoreboard ends it in order. CMS does so after 600 s.',
    whole: false,
    unit: 's',
  }),
  chat: switchOption('Chat over WebSocket', false, { help: 'At /chat in a process of its own. What one member sends, all receive.' }),
  'chat-deflate': switchOption('Compressed chat', false, { help: 'With permessage-deflate.' }),
} as const;

/** Faults of the scoreboard, and of the proxy in front of it. */
export const pushFaultOptions = {
  'hold-events-ms': numberOption('Events held back', null, [10, 600_000], {
    help: 'Sent together each so often, as by a proxy that buffers.',
    unit: 'ms',
    fault: true,
  }),
  'nginx-holds-events': switchOption('nginx holds events back', false, {
    help: 'As it ships: HTTP/1.0 and proxy_buffering, which waits for 4 kB. With nginx in front only.',
    fault: true,
  }),
  'cut-idle-ms': numberOption('Streams cut after silence', null, [50, 3_600_000], {
    help: 'Pings count, so this takes effect below the silence until a ping.',
    unit: 'ms',
    fault: true,
  }),
  'cut-all-after-ms': numberOption('All streams cut at once', null, [1, 3_600_000], {
    help: 'Counted from the first listener. All of them reconnect.',
    unit: 'ms',
    fault: true,
  }),
  'cut-forgets': switchOption('The cut is a restart', false, {
    help: 'Kept events are lost: who missed one is sent the event “reload”.',
    fault: true,
  }),
  'lose-event-one-in': numberOption('Lost events: one in', null, [1, 1_000_000], {
    help: 'Every Nth event of a listener is skipped.',
    fault: true,
  }),
  'double-event-one-in': numberOption('Doubled events: one in', null, [1, 1_000_000], {
    help: 'Every Nth event of a listener is sent twice.',
    fault: true,
  }),
} as const;
