import { HoldfastError } from '#core/base/errors.ts';

export function shellEnded(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_ENDED',
    message: `The monitor of ${label} has ended.`,
    hint: 'It was killed there, or the host closed the connection. Holdfast retries every few seconds.',
  });
}

/** `what`: what the machine was asked to do. */
export function shellSilent(label: string, seconds: number, what: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SILENT',
    message: `${label} has not responded for ${seconds} s to a request to ${what}.`,
    hint: 'The machine is overloaded or unreachable. Holdfast retries every few seconds.',
  });
}

export function shellSaysTooMuch(label: string, bytes: number): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SAYS_TOO_MUCH',
    message: `${label} sent more than ${bytes / 1_000_000} MB.`,
    hint: 'Probably something other than the monitoring script writes this: check what its start-up files print.',
  });
}

export function notLinux(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_NOT_LINUX',
    message: `${label} is not Linux and cannot be monitored.`,
    hint: 'Holdfast reads the files of Linux under /proc.',
  });
}
