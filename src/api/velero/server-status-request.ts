import { listOf, nullable, object, oneOf, text, time } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';

const PluginInfo = object({
  kind: text('What the plugin does, such as ObjectStore.'),
  name: text('Name of the plugin.'),
});

export const ServerStatusRequest = defineKind({
  ...VELERO,
  kind: 'ServerStatusRequest',
  plural: 'serverstatusrequests',
  shortNames: ['ssr'],
  doc: 'Asks the server for its version; how the stock command line sees whether somebody is there.',
  fields: {
    spec: object({}, 'Nothing to say.'),
    status: object(
      {
        phase: oneOf(['New', 'Processed'], 'Whether the server has answered.').optional(),
        conditions,
        serverVersion: text('Version of the server.').optional(),
        plugins: nullable(listOf(PluginInfo, 'Plugins of the server.')),
        processedTimestamp: nullable(time('When the server answered.')),
      },
      'What the server says about itself.',
    ),
  },
  columns: [column('Version', '.status.serverVersion'), column('Status', '.status.phase'), AGE],
});
export type ServerStatusRequest = ObjectOf<typeof ServerStatusRequest>;
