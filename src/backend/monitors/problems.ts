import { HoldfastError } from '#core/base/errors.ts';

export function shellEnded(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_ENDED',
    message: `What reads ${label} has ended.`,
    hint: 'It was killed there, or the host let go of the connection. It is tried again every few seconds.',
  });
}

/** `what`: what it was asked to do. */
export function shellSilent(label: string, seconds: number, what: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SILENT',
    message: `${label} has not answered for ${seconds} s: it was asked to ${what}.`,
    hint: 'The machine is overloaded or cut off. It is tried again every few seconds.',
  });
}

export function shellSaysTooMuch(label: string, bytes: number): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_SAYS_TOO_MUCH',
    message: `${label} answered with more than ${bytes / 1_000_000} MB.`,
    hint: 'Something else than the reading script answers: look at what its start-up files print.',
  });
}

export function notLinux(label: string): HoldfastError {
  return new HoldfastError({
    code: 'MONITOR_NOT_LINUX',
    message: `${label} is not Linux: Holdfast knows nothing about how it is.`,
    hint: 'Machines are read from the files of Linux under /proc.',
  });
}
