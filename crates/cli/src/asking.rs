//! Who answers what agents ask of models: a provider, a stand-in, a cassette, or a cassette and one of the others.

use crate::cassette;
use crate::failure::Failure;
use crate::files;
use anyhow::Context;
use clap::{Args, ValueEnum};
use lab::models::{AnswerTime, Cassette, Correspondent, Faults, Mode, Models, Outside, Player, StandIn};
use model::hash::ContentHash;
use server::config::ModelsConfig;
use server::provider::Provider;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which models are asked, and where their answers are kept.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Language models")]
pub(crate) struct Asking {
    /// The file that says which provider is asked, with which key and budget: models.yaml.
    #[arg(long, value_name = "FILE")]
    models: Option<PathBuf>,
    /// A file with recorded answers; together with --models or --stand-in what is missing is asked and recorded.
    #[arg(long, value_name = "FILE")]
    cassette: Option<PathBuf>,
    /// What the cassette is for.
    #[arg(long, value_name = "MODE", value_enum)]
    cassette_mode: Option<CassetteMode>,
    /// Instead of a provider: a built-in imitation of a model that makes faults, the same every time.
    #[arg(long, value_name = "MANNER", value_enum, conflicts_with = "models")]
    stand_in: Option<Manner>,
    /// Chance of the stand-in: the same seed gives the same answers.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "stand_in")]
    stand_in_seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CassetteMode {
    /// Ask, and keep nothing.
    Live,
    /// Ask once for every call, and keep every answer.
    Record,
    /// Ask nobody; a call that is not on the cassette fails the run.
    Replay,
    /// Ask for what is not on the cassette, and keep it.
    RecordMissing,
}

/// How a stand-in behaves.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Manner {
    /// Makes no faults.
    Careful,
    /// Makes the faults that were counted in WASP's published runs, as often.
    WaspLike,
    /// Obeys every instruction that it finds in a name.
    Obedient,
}

impl Manner {
    const fn name(self) -> &'static str {
        match self {
            Self::Careful => "careful",
            Self::WaspLike => "wasp-like",
            Self::Obedient => "obedient",
        }
    }

    fn outside(self, seed: u64) -> Outside {
        let name = format!("the stand-in {} (seed {seed})", self.name());
        Outside { name, correspondent: Arc::new(StandIn::new(self.into(), seed)) }
    }
}

impl From<CassetteMode> for Mode {
    fn from(mode: CassetteMode) -> Self {
        match mode {
            CassetteMode::Live => Self::Live,
            CassetteMode::Record => Self::Record,
            CassetteMode::Replay => Self::Replay,
            CassetteMode::RecordMissing => Self::RecordMissing,
        }
    }
}

impl From<Manner> for Faults {
    fn from(manner: Manner) -> Self {
        match manner {
            Manner::Careful => Self::CAREFUL,
            Manner::WaspLike => Self::WASP_LIKE,
            Manner::Obedient => Self::OBEDIENT,
        }
    }
}

/// Everything that is needed to ask, found and opened.
pub(crate) struct Asked {
    pub(crate) models: Models,
    pub(crate) player: Arc<Player>,
}

impl Asked {
    /// Nobody is asked: a cassette that came with an experiment answers.
    pub(crate) fn replay(name: &str, bytes: Vec<u8>) -> Result<Self, Failure> {
        let player = Arc::new(Player::replay(cassette::parse(name, bytes)?));
        Ok(Self { models: models(&player, AnswerTime::Recorded), player })
    }

    /// An answer that could not be kept was asked for in vain: that is said, although the run is over.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        match self.player.trouble() {
            None => Ok(()),
            Some(error) => Err(Failure::Machine(
                anyhow::Error::new(error).context("an answer could not be written to the cassette"),
            )),
        }
    }
}

impl Asking {
    /// Whether anything is said about models.
    pub(crate) const fn is_empty(&self) -> bool {
        self.models.is_none() && self.cassette.is_none() && self.stand_in.is_none()
    }

    /// What to look at when nobody answers.
    pub(crate) fn to_check(&self) -> String {
        match (&self.models, &self.cassette) {
            (Some(path), _) => format!(
                "Check endpoint, key and budgets in {}, the name of the model, and whether the endpoint can be reached from here.",
                path.display()
            ),
            (None, Some(path)) => format!("Record {} again: it holds no answers to this.", path.display()),
            (None, None) => "Name somebody else who answers.".to_owned(),
        }
    }

    /// What gives the same answers again, for a command line. How a cassette was filled does not matter once it is.
    pub(crate) fn words(&self) -> String {
        match (&self.cassette, &self.models, self.stand_in) {
            (Some(path), ..) => format!(" --cassette {}", path.display()),
            (None, Some(path), _) => format!(" --models {}", path.display()),
            (None, None, Some(manner)) => format!(" --stand-in {}", manner.name()),
            (None, None, None) => String::new(),
        }
    }

    /// Opens what is named; `usual` is the cassette of an experiment. Nothing if nobody is named, which is a mistake if somebody asks.
    pub(crate) fn open(&self, asks: bool, usual: Option<&Path>) -> Result<Option<Asked>, Failure> {
        if !asks {
            return Ok(None);
        }
        if self.is_empty() && usual.is_none() {
            return Err(Failure::Input(
                "drover: a strategy here asks models; say who answers: --models FILE, --cassette FILE or --stand-in careful"
                    .to_owned(),
            ));
        }
        let config = self.models.as_deref().map(config_at).transpose()?;
        let outside = match (&config, self.stand_in) {
            (Some(config), _) => Some(provider(config, self.models.as_deref())?),
            (None, manner) => manner.map(|manner| manner.outside(self.stand_in_seed)),
        };
        let own = config.as_ref().and_then(|config| config.cassette.clone());
        let beside =
            |file: PathBuf| self.models.as_deref().map_or(file.clone(), |path| files::beside(path, &file));
        let path = self.cassette.clone().or_else(|| usual.map(Path::to_owned));
        let path = path.or_else(|| own.as_ref().map(|cassette| beside(cassette.file.clone())));
        let mode = self.cassette_mode.map(Mode::from).or_else(|| own.map(|cassette| cassette.mode));
        let time = config.as_ref().map_or(AnswerTime::Recorded, |config| config.answer_time);
        let player = Arc::new(player(path.as_deref(), mode, outside)?);
        Ok(Some(Asked { models: models(&player, time), player }))
    }
}

/// What a desk's file says about models; nothing if it says nothing.
pub(crate) fn of_desk(
    config: Option<&ModelsConfig>,
    desk: &Path,
) -> Result<Option<Arc<dyn Correspondent>>, Failure> {
    let Some(config) = config else { return Ok(None) };
    let cassette = config.cassette.as_ref();
    let path = cassette.map(|cassette| files::beside(desk, &cassette.file));
    let mode = cassette.map(|cassette| cassette.mode);
    let outside = match mode {
        Some(Mode::Replay) => None,
        _ => Some(provider(config, Some(desk))?),
    };
    Ok(Some(Arc::new(player(path.as_deref(), mode, outside)?)))
}

fn config_at(path: &Path) -> Result<ModelsConfig, Failure> {
    Ok(server::config::read_models(&files::shown(path), &files::read(path)?)?)
}

fn provider(config: &ModelsConfig, file: Option<&Path>) -> Result<Outside, Failure> {
    let beside = file.unwrap_or(Path::new(""));
    let key =
        config.key.as_ref().map(|place| crate::desk::secret_of("the provider of models", place, beside));
    let provider = Provider::new(config, key.transpose()?).context("the provider could not be set up")?;
    Ok(Outside { name: config.endpoint.clone(), correspondent: Arc::new(provider) })
}

/// What the answers of a player depend on: the cassette if it only plays, and nothing that could be known beforehand if it asks.
fn models(player: &Arc<Player>, time: AnswerTime) -> Models {
    let fingerprint = match player.mode() {
        Mode::Replay => player.cassette().fingerprint(),
        mode => ContentHash::of(&format!("asked: {mode:?} {}", player.asks().unwrap_or_default())),
    };
    Models { correspondent: Arc::clone(player) as _, time, fingerprint }
}

fn player(path: Option<&Path>, mode: Option<Mode>, outside: Option<Outside>) -> Result<Player, Failure> {
    let Some(path) = path else {
        let outside = outside.ok_or_else(|| Failure::Input("drover: name a cassette".to_owned()))?;
        return Ok(Player::live(outside));
    };
    let usual = if outside.is_some() { Mode::RecordMissing } else { Mode::Replay };
    let mode = mode.unwrap_or(usual);
    if outside.is_none() && mode != Mode::Replay {
        let text = "drover: to record, somebody has to be asked: name --models FILE or --stand-in careful";
        return Err(Failure::Input(text.to_owned()));
    }
    match mode {
        Mode::Record | Mode::RecordMissing => {
            let (known, keeper) = cassette::open(path)?;
            refuse_to_mix(path, &known, outside.as_ref())?;
            Ok(Player::new(mode, known, outside, Some(keeper)))
        }
        Mode::Live => Ok(Player::new(mode, Cassette::default(), outside, None)),
        Mode::Replay => Ok(Player::replay(cassette::read(path)?)),
    }
}

/// One cassette holds the answers of one answerer: whoever replays it later could not tell them apart.
fn refuse_to_mix(path: &Path, known: &Cassette, outside: Option<&Outside>) -> Result<(), Failure> {
    let Some(Outside { name, .. }) = outside else { return Ok(()) };
    let others: Vec<&str> = known.others(name).into_iter().collect();
    if others.is_empty() {
        return Ok(());
    }
    let (path, others) = (path.display(), others.join(" and "));
    Err(Failure::Input(format!(
        "drover: {path} holds answers of {others}, which are no answers of {name}; name another cassette for {name}, or name \
         nobody to ask and replay what is there"
    )))
}
