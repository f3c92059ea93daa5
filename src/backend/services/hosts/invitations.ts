import type { Log } from '#backend/log.ts';
import type { HostService } from './hostService.ts';
import { InviteService } from './inviteService.ts';
import { JoinService, type JoinServiceParts } from './joinService.ts';

/** Creates the services for invitations of other computers, and of this one by others. */
export function createInvitationServices(parts: JoinServiceParts & { readonly hosts: Pick<HostService, 'open'>; readonly log: Log }) {
  const invites = new InviteService(parts.hosts, parts.log);
  const joins = new JoinService(parts);
  return {
    runParts: invites.runParts,
    calls: { ...invites.calls, ...joins.calls },
    streams: { ...invites.streams, ...joins.streams },
    close(): void {
      invites.close();
      joins.close();
    },
  };
}
