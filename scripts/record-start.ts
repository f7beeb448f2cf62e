/**
 * Makes docs/guide/start.svg, the picture in the README: runs `headway up --demo` and draws what it really printed,
 * one frame in the middle of the restore and the end. Run it when the output has changed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COLUMNS = 80;
/** The bar of a restore in its middle, which is where it copies volumes. */
const RESTORING = /^ {2}(restoring|volumes) .* [2-9]\d %/m;
const BIN = new URL('../bin', import.meta.url).pathname;

async function record(): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'headway-picture-'));
  // On the PATH, so that it calls itself by its name alone.
  const path = `${BIN}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH: path, HEADWAY_HOME: join(home, 'state', 'headway') };
  // script(1) gives it a terminal, so that it draws as people see it.
  const command = `stty cols ${String(COLUMNS)}; exec env NO_COLOR=1 headway up --demo --listen 127.0.0.1:0`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let middle = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const screen = lastScreen(text).join('\n');
    // The first frame that shows an estimate, where there is one.
    const isBetter = middle === '' || (!hasEstimate(lastScreen(middle).join('\n')) && hasEstimate(screen));
    if (isBetter && RESTORING.test(screen) && /● restore /.test(screen)) middle = text;
    if (text.includes('Ctrl-C stops everything')) break;
  }
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  rmSync(home, { recursive: true, force: true });
  const shown = (screen: string): string[] =>
    lastScreen(screen)
      // Only after a change of the sources.
      .filter((line) => !line.startsWith('headway: these sources run for the first time'))
      .map((line) =>
        line
          .replaceAll(home, '~/.local')
          .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:7443')
          .replace(/code=\S+/, 'code=…'),
      );
  const first = shown(middle);
  const rest = shown(text).filter((line) => line === '' || !first.includes(line));
  return ['$ npm start', '', ...first, '', '  …', '', ...rest];
}

function hasEstimate(screen: string): boolean {
  return /^ {2}(restoring|volumes) .* left/m.test(screen);
}

/** What a terminal shows after these bytes: only the two sequences that LiveLines uses. */
function lastScreen(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [token] of text.matchAll(/\u001b\[(\d*)[AJK]|\r|\n|[^\u001b\r\n]+/g)) {
    const up = /^\u001b\[(\d+)A$/.exec(token);
    if (up) row = Math.max(0, row - Number(up[1]));
    else if (token === '\u001b[J') lines.length = row + 1;
    else if (token === '\n') lines[(row += 1)] ??= '';
    else if (!token.startsWith('\u001b') && token !== '\r') lines[row] = token;
    if (token === '\u001b[J') lines[row] = '';
  }
  return lines.filter((line, index) => line !== '' || index < lines.length - 1);
}

function draw(lines: readonly string[]): string {
  // Blanks that no browser draws as one.
  const escape = (line: string) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '&#160;');
  const height = 19 * lines.length + 32;
  const rows = lines.map((line, index) => `<text x="18" y="${String(30 + 19 * index)}">${escape(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${String(height)}" role="img" aria-label="What npm start prints">
<rect width="720" height="${String(height)}" rx="8" fill="#16181d"/>
<g fill="#e6e6e6" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${rows.join('\n')}
</g>
</svg>
`;
}

writeFileSync(new URL('../docs/guide/start.svg', import.meta.url), draw(await record()));
