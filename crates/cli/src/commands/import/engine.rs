//! WASP's engine as one of our agents: one model or several with a consolidator, the model, its settings and its prompts as the file says.

use crate::failure::Failure;
use crate::files;
use simulator::wasp::{WaspEngine, WaspGraph};
use std::path::{Path, PathBuf};
use strategies::catalogue::StrategyConfig;
use strategies::language::{Consolidator, LanguageConfig, Specialist, Temperature};

/// How files with prompts may end; WASP's file names the rest.
const ENDINGS: [&str; 4] = ["", "md", "txt", "prompt"];

/// A strategy that asks what WASP's engine would, and what had to be assumed.
pub(super) fn language_model(
    engine: &WaspEngine,
    prompts: Option<&Path>,
) -> Result<(StrategyConfig, Vec<String>), Failure> {
    let mut reader = Prompts { folder: prompts, notes: Vec::new() };
    let usual = LanguageConfig::default();
    let mut config = LanguageConfig {
        model: engine.model.clone().unwrap_or(usual.model),
        temperature: engine.temperature.map_or(usual.temperature, temperature),
        max_tokens: engine
            .max_output_tokens
            .map_or(usual.max_tokens, |most| u32::try_from(most).unwrap_or(u32::MAX)),
        ..LanguageConfig::default()
    };
    match engine.graph {
        WaspGraph::Single => config.policy = reader.text(engine.prompt.as_deref())?,
        WaspGraph::Several => {
            let prompts = &engine.prompts;
            config.specialists = vec![
                specialist("performance", reader.text(prompts.performance.as_deref())?),
                specialist("cost", reader.text(prompts.cost.as_deref())?),
            ];
            config.consolidator = Consolidator::Model;
            config.consolidator_policy = reader.text(prompts.consolidator.as_deref())?;
        }
    }
    let mut notes = reader.notes;
    if let Some(provider) = engine.provider.as_deref().filter(|provider| *provider != "openrouter") {
        notes.push(format!("the provider {provider:?} is chosen in the file of --models; ignored here"));
    }
    Ok((StrategyConfig::LanguageModel(Box::new(config)), notes))
}

/// In the thousandths in which calls are compared; beyond what providers take there is nothing.
fn temperature(degrees: f64) -> Temperature {
    Temperature((degrees.clamp(0.0, 2.0) * 1_000.0).round() as u32)
}

fn specialist(name: &str, policy: Option<String>) -> Specialist {
    Specialist { name: name.to_owned(), weight: 1, veto: false, policy, policy_file: None, model: None }
}

/// Finds prompts by the names that WASP's file gives them.
struct Prompts<'a> {
    folder: Option<&'a Path>,
    notes: Vec<String>,
}

impl Prompts<'_> {
    /// The text, or nothing where our own policy has to do.
    fn text(&mut self, stem: Option<&str>) -> Result<Option<String>, Failure> {
        let Some(stem) = stem else { return Ok(None) };
        let Some(folder) = self.folder else {
            self.notes.push(format!(
                "the prompt {stem} is not at hand; name its folder to use it; Drover's own policy is used"
            ));
            return Ok(None);
        };
        let Some(path) = find(folder, stem) else {
            let folder = folder.display();
            return Err(Failure::Input(format!(
                "{folder}: there is no prompt {stem} (.md, .txt or .prompt)"
            )));
        };
        let text = String::from_utf8(files::read(&path)?);
        let text = text.map_err(|_| Failure::Input(format!("{}: is no text", path.display())))?;
        Ok(Some(text.trim().to_owned()))
    }
}

/// Only the last part of a name counts: a file elsewhere is not read because a configuration says so.
fn find(folder: &Path, stem: &str) -> Option<PathBuf> {
    let name = Path::new(stem).file_name()?;
    ENDINGS.iter().map(|ending| folder.join(name).with_extension(ending)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use simulator::wasp;

    const CONFIG: &str = r#"
clusters:
  member1: { nodes: 2, cpu: "8", memory: 16Gi, autoscaler: false }
  member2: { nodes: 2, cpu: "8", memory: 16Gi, autoscaler: true }
ai-engine:
  ai:
    selected_model: google/gemini-2.5-flash
    multi_agent:
      selected_prompt: mine
      provider: openrouter
      graph_version: GRAPH
      generation_config: { temperature: 0.5, max_output_tokens: 18000 }
      prompts: { performance_prompt_file: p, cost_prompt_file: c, consolidator_prompt_file: k }
"#;

    fn read(graph: &str, prompts: Option<&Path>) -> (LanguageConfig, Vec<String>) {
        let config = CONFIG.replace("GRAPH", graph);
        let input = r#"{"config":{},"data":[]}"#;
        let (config, _) =
            wasp::read_files(("c", config.as_bytes()), ("i", input.as_bytes())).expect("WASP's files");
        match language_model(&config.value.engine, prompts).ok().expect("a strategy") {
            (StrategyConfig::LanguageModel(config), notes) => (*config, notes),
            (other, _) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_graph_chooses_between_one_and_several() {
        let folder = std::env::temp_dir().join(format!("drover-prompts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in
            [("mine.md", "Be fair.\n"), ("p.txt", "Be fast."), ("c", "Be cheap."), ("k.md", "Agree.")]
        {
            std::fs::write(folder.join(name), text).expect("a prompt");
        }
        let (one, notes) = read("v1", Some(&folder));
        assert_eq!(
            (one.model.as_str(), one.temperature.0, one.max_tokens),
            ("google/gemini-2.5-flash", 500, 18_000)
        );
        assert_eq!((one.policy.as_deref(), one.specialists.len(), notes.len()), (Some("Be fair."), 0, 0));
        let (several, _) = read("v2", Some(&folder));
        let told: Vec<_> =
            several.specialists.iter().map(|one| (one.name.as_str(), one.policy.as_deref())).collect();
        assert_eq!(told, [("performance", Some("Be fast.")), ("cost", Some("Be cheap."))]);
        assert_eq!(
            (several.consolidator, several.consolidator_policy.as_deref()),
            (Consolidator::Model, Some("Agree."))
        );
    }

    #[test]
    fn without_prompts_our_own_are_used_and_that_is_said() {
        let (several, notes) = read("v2", None);
        assert!(several.specialists.iter().all(|one| one.policy.is_none()));
        assert!(notes.len() == 3 && notes[0].contains("the prompt p is not at hand"), "{notes:?}");
    }
}
