// How far a comparison of the laboratory is.
import { Ban, CircleCheck, CircleX, Hourglass, LoaderCircle, Unplug } from 'lucide-react';
import type { ComparisonState } from '../api/laboratory';
import { Badge, type Tone } from '../ui/Badge';

const LOOKS: Record<ComparisonState, { tone: Tone; Icon: typeof Ban }> = {
  waiting: { tone: 'neutral', Icon: Hourglass },
  running: { tone: 'accent', Icon: LoaderCircle },
  done: { tone: 'good', Icon: CircleCheck },
  cancelled: { tone: 'neutral', Icon: Ban },
  failed: { tone: 'bad', Icon: CircleX },
  interrupted: { tone: 'neutral', Icon: Unplug },
};

export function ComparisonBadge({ state }: { state: ComparisonState }) {
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
      {state}
    </Badge>
  );
}
