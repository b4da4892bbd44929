// How long something will still take, judged by how long its parts took so far.

/** In milliseconds; null while nothing can be said. */
export function leftOf(done: number, all: number, elapsed: number): number | null {
  if (done <= 0 || all <= 0 || elapsed <= 0) return null;
  return Math.max(0, ((all - done) * elapsed) / done);
}
