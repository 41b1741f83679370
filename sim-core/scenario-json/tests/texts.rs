//! Goal: a text is read into the scenario that it says, written back as it was, or refused with one
//! sentence that names the value. Method: a small text with one thing changed.

const TEXT: &str = r#"{"type":"scenario","name":"x","note":"n","cpus":[["1","3",0],["2","3",0]],
"params":{"ratelimit_us":0},"duration_ns":5000000,"seed":7,"domains":[{"weight":256,"cap":0,
"vcpus":[{"init_cpu":0,"hard":"3","wake_on":-1,"script":[[1000,2000]]}]}],"ops":[]}"#;

fn said(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from} stands in the text");
    match scenario_json::load(&TEXT.replacen(from, to, 1)) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_scenario_comes_back_as_it_was() {
    let scenario = scenario_json::parse(TEXT).expect("it is right");
    assert_eq!((scenario.seed, scenario.topology.pcpu_count()), (7, 2));
    let again = scenario_json::parse(&scenario_json::to_json(&scenario)).expect("it was written");
    assert_eq!(again, scenario);
    for preset in sim_core::presets::PRESETS {
        let scenario = (preset.build)();
        let again = scenario_json::parse(&scenario_json::to_json(&scenario)).expect("written");
        assert_eq!(again, scenario, "{}", preset.slug);
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (from, to, sentence) in [
        ("256", "256", "accepted"),
        ("\"hard\":\"3\"", "\"hard\":\"zz\"", "the hard affinity of vCPU 0 of domain 0 is “zz”"),
        ("\"hard\":\"3\"", "\"hard\":\"4\"", "which names pCPU 2; the machine has 2 (0 to 1)"),
        ("\"hard\":\"3\"", "\"hard\":\"0\"", "is empty; it needs at least one pCPU"),
        ("\"script\":[[1000,2000]]", "\"wake_on\":0", "the text is no scenario: "),
        (",\"script\":[[1000,2000]]", "", "vCPU 0 of domain 0 needs either “script” or “rand”"),
        ("\"wake_on\":-1", "\"wake_on\":-2", "wake_on is -2; it must be -1 or a pCPU"),
        ("\"wake_on\":-1", "\"wake_on\":5", "names pCPU 5; the machine has 2 (0 to 1)"),
        ("\"ratelimit_us\":0", "\"tickle_one_idle\":2", "tickle_one_idle is 2; it must be 0 or 1"),
        ("\"ratelimit_us\":0", "\"tslize\":2", "unknown field `tslize`"),
        ("\"type\":\"scenario\"", "\"type\":\"tickle\"", "is of type “tickle”, not “scenario”"),
        ("256", "-1", "the text is no scenario: "),
        ("256", "0", "domain 0 has weight 0; it must be 1 to 65535"),
        ("\"cap\":0", "\"cap\":201", "domain 0 has a cap of 201 %; all pCPUs together are 200 %"),
        ("5000000", "0", "the run is 0 ns long; it must be 1 ns to 600000000000 ns"),
    ] {
        let said = said(from, to);
        assert!(said.contains(sentence), "{to}: {said}");
        assert!(!said.contains('\n'), "one sentence: {said}");
    }
    for text in ["", "{", "[]", "null", "\u{0}", "{\"type\":\"scenario\"}"] {
        let error = scenario_json::load(text).expect_err("no scenario").to_string();
        assert!(error.starts_with("the text is no scenario: "), "{error}");
    }
}

#[test]
fn a_recorded_scenario_may_have_a_cap_above_what_exists() {
    assert_eq!(said("\"seed\":7", "\"seed\":7,\"full_until_ns\":1"), "accepted");
    let recorded = TEXT.replacen("\"cap\":0", "\"cap\":900", 1);
    assert!(scenario_json::load(&recorded).is_err());
    let recorded = recorded.replacen("\"seed\":7", "\"seed\":7,\"full_until_ns\":1", 1);
    assert!(scenario_json::load(&recorded).is_ok());
}
