// Where a recommendation stands in its life.
import { Ban, CircleCheck, CircleDashed, CircleX, Clock3, LoaderCircle, Replace, Undo2 } from 'lucide-react';
import { Badge, type Tone } from '../ui/Badge';

const LOOKS: Record<string, { tone: Tone; Icon: typeof Clock3; text: string }> = {
  pending: { tone: 'accent', Icon: CircleDashed, text: 'pending' },
  approved: { tone: 'accent', Icon: CircleCheck, text: 'approved' },
  applying: { tone: 'accent', Icon: LoaderCircle, text: 'applying' },
  applied: { tone: 'good', Icon: CircleCheck, text: 'applied' },
  rejected: { tone: 'neutral', Icon: Ban, text: 'rejected' },
  expired: { tone: 'neutral', Icon: Clock3, text: 'expired' },
  superseded: { tone: 'neutral', Icon: Replace, text: 'superseded' },
  failed: { tone: 'bad', Icon: CircleX, text: 'failed' },
  rolled_back: { tone: 'warn', Icon: Undo2, text: 'rolled back' },
};

export function StageBadge({ stage }: { stage: string }) {
  const { tone, Icon, text } = LOOKS[stage] ?? { tone: 'neutral' as Tone, Icon: CircleDashed, text: stage };
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
      {text}
    </Badge>
  );
}
