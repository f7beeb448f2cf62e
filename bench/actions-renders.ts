import { Budget, templateParams } from '../src/core/action/index.ts';
import { renderTemplate } from '../src/core/action/template/index.ts';
import { FACTS } from '../test/templates/params.ts';

/** What arguments of published Blueprints look like. */
const TEMPLATES = [
  '{{ .StatefulSet.Namespace }}',
  '{{ index .StatefulSet.Pods 0 }}',
  '{{ index .Secrets.db.Data "user" | toString }}',
  '{{ if index .Options "image" }}{{ .Options.image }}{{ else }}ghcr.io/kanisterio/tools:1{{ end }}',
  'backups/{{ .StatefulSet.Name }}/{{ toDate "2006-01-02T15:04:05.999999999Z07:00" .Time | date "2006-01-02T15-04-05" }}/dump.gz',
  '{{ .Phases.first.Output.k }}',
];
const ROUNDS = 5;
const ROUND_MS = 1000;

/** Of CPU time, and of the best round: what else the machine does is not what is measured. */
export function rendersPerSecond(): number {
  const params = templateParams(FACTS);
  const round = (): number => {
    const before = process.threadCpuUsage();
    const spent = (): number => {
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1e6;
    };
    let count = 0;
    while (spent() * 1000 < ROUND_MS) {
      for (let turn = 0; turn < 100; turn += 1) {
        for (const template of TEMPLATES) renderTemplate(template, params, { budget: new Budget({ now: 0 }) });
      }
      count += 100 * TEMPLATES.length;
    }
    return count / spent();
  };
  return Math.max(...Array.from({ length: ROUNDS }, round));
}
