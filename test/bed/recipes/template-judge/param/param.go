// Package param has the shapes that templates of Blueprints see, under the names they have in Kanister.
package param

type TemplateParams struct {
	StatefulSet      *StatefulSetParams
	DeploymentConfig *DeploymentConfigParams
	Deployment       *DeploymentParams
	PVC              *PVCParams
	Namespace        *NamespaceParams
	ArtifactsIn      map[string]Artifact
	ConfigMaps       map[string]ConfigMap
	Secrets          map[string]Secret
	Time             string
	Profile          *Profile
	Options          map[string]string
	Object           map[string]any
	CurrentPhase     *Phase
	Phases           map[string]*Phase
	DeferPhase       *Phase
	PodOverride      map[string]any
	PodAnnotations   map[string]string
	PodLabels        map[string]string
}

type StatefulSetParams struct {
	Name, Namespace        string
	Pods                   []string
	Containers             [][]string
	PersistentVolumeClaims map[string]map[string]string
}

type DeploymentConfigParams struct {
	Name, Namespace        string
	Pods                   []string
	Containers             [][]string
	PersistentVolumeClaims map[string]map[string]string
}

type DeploymentParams struct {
	Name, Namespace        string
	Pods                   []string
	Containers             [][]string
	PersistentVolumeClaims map[string]map[string]string
}

type PVCParams struct{ Name, Namespace string }

type NamespaceParams struct{ Name, Namespace string }

type Artifact struct {
	KeyValue      map[string]string `json:"keyValue,omitempty"`
	KopiaSnapshot string            `json:"kopiaSnapshot,omitempty"`
}

type ObjectMeta struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type ConfigMap struct {
	ObjectMeta `json:"metadata"`
	Data       map[string]string `json:"data,omitempty"`
	BinaryData map[string][]byte `json:"binaryData,omitempty"`
}

type Secret struct {
	ObjectMeta `json:"metadata"`
	Data       map[string][]byte `json:"data,omitempty"`
	Type       string            `json:"type,omitempty"`
}

type Profile struct {
	Location      Location
	Credential    Credential
	SkipSSLVerify bool
}

type Location struct {
	Type     string `json:"type"`
	Bucket   string `json:"bucket"`
	Endpoint string `json:"endpoint"`
	Prefix   string `json:"prefix"`
	Region   string `json:"region"`
}

type Credential struct {
	Type              string
	KeyPair           *KeyPair
	Secret            *Secret
	KopiaServerSecret *KopiaServerCreds
}

type KeyPair struct{ ID, Secret string }

type KopiaServerCreds struct {
	Username, Hostname, Password, Cert string
	ConnectOptions                     map[string]int
}

type Phase struct {
	Secrets    map[string]Secret
	ConfigMaps map[string]ConfigMap
	Output     map[string]any
}
