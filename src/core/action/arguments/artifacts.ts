import type { Artifact } from '../params/template-params.ts';
import { Renderer, type Rendering } from './render.ts';

/** What an action leaves behind, rendered at its end. Throws `invalid` with every problem. */
export function renderArtifacts(
  artifacts: Readonly<Record<string, Artifact>>,
  rendering: Rendering,
): Record<string, Artifact> {
  const renderer = new Renderer(rendering);
  const rendered = Object.entries(artifacts).map(([name, { keyValue, kopiaSnapshot }]): [string, Artifact] => {
    const at = `outputArtifacts.${name}`;
    const pairs = Object.entries(keyValue ?? {}).map(([key, value]) => [
      key,
      renderer.text(value, `${at}.keyValue.${key}`),
    ]);
    const snapshot = renderer.text(kopiaSnapshot ?? '', `${at}.kopiaSnapshot`);
    return [
      name,
      {
        ...(keyValue !== undefined && { keyValue: Object.fromEntries(pairs) as Record<string, string> }),
        ...(snapshot !== '' && { kopiaSnapshot: snapshot }),
      },
    ];
  });
  renderer.check();
  return Object.fromEntries(rendered);
}
