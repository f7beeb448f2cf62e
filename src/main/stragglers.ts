/** Far longer than anything needs that ends by itself. */
const PATIENCE_MS = 5000;

/**
 * Ends the process when something keeps it alive after its command has ended: a part that could not be made to stop
 * must not go on working beside the next leader. A process that has nothing left to do ends at once, as ever.
 */
export function endStragglers(host: { exit(): unknown }, withinMs = PATIENCE_MS): void {
  setTimeout(() => {
    host.exit();
  }, withinMs).unref();
}
