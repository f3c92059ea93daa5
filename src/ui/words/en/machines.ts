/** Words about machines that several screens share. */
export const machines = {
  here: 'This computer',
  roles: { generator: 'Sends the load', target: 'Answers the load', hop: 'Stands in between (proxy, database)' },
  changes: {
    title: 'Changed by Holdfast',
    changed: (setting: string, from: string, to: string) => `Holdfast has changed ${setting} from ${from} to ${to}.`,
    takenBack: 'taken back since',
  },
  revert: {
    open: 'Take it back …',
    openNamed: (setting: string) => `Take it back …: ${setting}`,
    title: (host: string | null) => `Take back a change on ${host ?? 'this computer'}?`,
    story: (setting: string, from: string, to: string) =>
      `${setting} is ${from} now and becomes ${to} again, as it was before Holdfast changed it. It is read again afterwards.`,
    go: 'Take it back',
    waiting: 'the change and a second look',
    done: (setting: string, to: string) => `${setting} is ${to} again.`,
  },
};
